"""Every GraphQL operation with its scope and a harmless call."""

from dataclasses import replace
from uuid import uuid4

from graphql import parse, print_ast

from app.surfaces.graphql.schema import schema
from graph.tenancy.models import Scope
from tests.api.administration_operations import ADMINISTRATION

NOBODY = "mem_ofNobody0000000000000000"
PAGE = "edges { node { id } }"
METRIC = '{name: "deployments", aggregate: COUNT, actionType: "deploy"}'
MESSAGES = '{conversationId: "c", messages: [{content: "x"}]}'
ACTION = '{sessionId: "s", actionType: "deploy", nodeType: "Service", outcome: SUCCESS}'

# For each operation: its scope (None: any valid key) and a harmless call.
OPERATIONS: dict[str, tuple[Scope | None, str]] = {
    "Query.me": (None, "{ me { keyId } }"),
    "Query.health": (None, "{ health { status } }"),
    "Query.engine": (Scope.READ, "{ engine(workspaceIds: []) { tiers } }"),
    "Query.workspace": (Scope.READ, "{ workspace { id } }"),
    "Query.workspaces": (Scope.READ, f"{{ workspaces {{ {PAGE} }} }}"),
    "Query.settings": (Scope.ADMIN, "{ settings { strategy } }"),
    "Query.searchVectorTier": (Scope.READ, '{ searchVectorTier(query: "x") { score } }'),
    "Query.apiKeys": (Scope.ADMIN, "{ apiKeys { id } }"),
    "Query.auditLog": (Scope.ADMIN, f"{{ auditLog {{ {PAGE} }} }}"),
    "Query.memory": (Scope.READ, f'{{ memory(id: "{NOBODY}") {{ id }} }}'),
    "Query.memories": (Scope.READ, f"{{ memories {{ {PAGE} }} }}"),
    "Query.recall": (Scope.READ, '{ recall(input: {query: "x"}) { totalTokens } }'),
    "Query.context": (Scope.READ, '{ context(input: {query: "x"}) { prompt } }'),
    "Query.search": (Scope.READ, '{ search(query: "x") { markdown } }'),
    "Query.ask": (Scope.READ, '{ ask(question: "x") { supported } }'),
    "Query.promptRuns": (Scope.READ, f"{{ promptRuns {{ {PAGE} }} }}"),
    "Query.jobs": (Scope.READ, f"{{ jobs {{ {PAGE} }} }}"),
    "Query.actions": (Scope.READ, f"{{ actions {{ {PAGE} }} }}"),
    "Query.sequences": (Scope.READ, f"{{ sequences {{ {PAGE} }} }}"),
    "Query.memoryOutcomes": (Scope.READ, "{ memoryOutcomes { pageInfo { endCursor } } }"),
    "Query.metrics": (Scope.READ, "{ metrics { id } }"),
    "Query.benchmark": (Scope.READ, '{ benchmark(metric: "error_rate") { days } }'),
    "Query.agentTelemetry": (Scope.READ, "{ agentTelemetry { workspaceId } }"),
    "Query.agentMemory": (Scope.READ, "{ agentMemory { workspaceId } }"),
    "Query.patterns": (Scope.READ, f"{{ patterns {{ {PAGE} }} }}"),
    "Query.searchPatterns": (Scope.READ, '{ searchPatterns(query: "x") { id } }'),
    "Query.entity": (Scope.READ, '{ entity(id: "ent_none") { id } }'),
    "Query.entities": (Scope.READ, f"{{ entities {{ {PAGE} }} }}"),
    "Query.node": (Scope.READ, f'{{ node(id: "{NOBODY}") {{ id }} }}'),
    "Query.traverse": (Scope.READ, f'{{ traverse(input: {{start: ["{NOBODY}"]}}) {{ truncated }} }}'),
    "Query.paths": (Scope.READ, f'{{ paths(from: "{NOBODY}", to: "{NOBODY}") {{ length }} }}'),
    "Query.searchEntities": (Scope.READ, '{ searchEntities(query: "x") { hits { score } } }'),
    "Query.document": (Scope.READ, f'{{ document(id: "{NOBODY}") {{ id }} }}'),
    "Query.documents": (Scope.READ, f"{{ documents {{ {PAGE} }} }}"),
    "Query.chunk": (Scope.READ, f'{{ chunk(id: "{NOBODY}") {{ id }} }}'),
    "Query.artifact": (Scope.READ, f'{{ artifact(id: "{NOBODY}") {{ id }} }}'),
    "Query.artifacts": (Scope.READ, f"{{ artifacts {{ {PAGE} }} }}"),
    "Mutation.addDocument": (Scope.WRITE, 'mutation { addDocument(input: {key: "k", content: "x"}) { id } }'),
    "Mutation.deleteDocument": (Scope.WRITE, f'mutation {{ deleteDocument(id: "{NOBODY}") }}'),
    "Mutation.addArtifact": (Scope.WRITE, 'mutation { addArtifact(input: {name: "x"}) { id } }'),
    "Mutation.deleteArtifact": (Scope.WRITE, f'mutation {{ deleteArtifact(id: "{NOBODY}") }}'),
    "Query.conversation": (Scope.READ, f'{{ conversation(id: "{NOBODY}") {{ id }} }}'),
    "Query.conversations": (Scope.READ, f"{{ conversations {{ {PAGE} }} }}"),
    "Mutation.appendMessages": (
        Scope.WRITE,
        f"mutation {{ appendMessages(input: {MESSAGES}) {{ id }} }}",
    ),
    "Mutation.deleteConversation": (Scope.WRITE, f'mutation {{ deleteConversation(id: "{NOBODY}") }}'),
    "Mutation.extractMemories": (
        Scope.WRITE,
        f'mutation {{ extractMemories(conversationId: "{NOBODY}") {{ id }} }}',
    ),
    "Query.deletionSuggestions": (Scope.READ, "{ deletionSuggestions { pageInfo { endCursor } } }"),
    "Mutation.confirmDeletion": (Scope.WRITE, f'mutation {{ confirmDeletion(memoryId: "{NOBODY}") }}'),
    "Mutation.dismissDeletion": (Scope.WRITE, f'mutation {{ dismissDeletion(memoryId: "{NOBODY}") }}'),
    "Query.automaticChanges": (Scope.READ, "{ automaticChanges { pageInfo { endCursor } } }"),
    "Query.doubtfulFacts": (Scope.READ, "{ doubtfulFacts { pageInfo { endCursor } } }"),
    "Mutation.undoAutomaticChange": (
        Scope.WRITE,
        f'mutation {{ undoAutomaticChange(id: "{NOBODY}") {{ id }} }}',
    ),
    "Mutation.distill": (Scope.WRITE, 'mutation { distill(input: {source: TOOL, text: "x"}) }'),
    "Query.workingSet": (Scope.READ, '{ workingSet(conversationId: "c", slot: "s") }'),
    "Mutation.setWorkingSet": (
        Scope.WRITE,
        'mutation { setWorkingSet(conversationId: "c", slot: "s", value: 1) }',
    ),
    "Mutation.clearWorkingSet": (Scope.WRITE, 'mutation { clearWorkingSet(conversationId: "c") }'),
    "Query.episodes": (Scope.READ, f"{{ episodes {{ {PAGE} }} }}"),
    "Mutation.consolidateConversation": (
        Scope.WRITE,
        f'mutation {{ consolidateConversation(id: "{NOBODY}") {{ id }} }}',
    ),
    "Mutation.handoffSummary": (
        Scope.WRITE,
        f'mutation {{ handoffSummary(conversationId: "{NOBODY}") {{ id }} }}',
    ),
    "Query.ontology": (Scope.READ, "{ ontology { isStrict } }"),
    "Query.exportOntology": (Scope.READ, "{ exportOntology { content } }"),
    "Mutation.importOntology": (
        Scope.WRITE,
        'mutation { importOntology(input: {content: "{}"}) { dryRun } }',
    ),
    "Query.connections": (Scope.READ, f"{{ connections {{ {PAGE} }} }}"),
    "Query.contradictions": (Scope.READ, "{ contradictions { newer { id } } }"),
    "Query.alikeEntities": (Scope.READ, "{ alikeEntities { entity { id } } }"),
    "Query.entityMerges": (Scope.READ, f"{{ entityMerges {{ {PAGE} }} }}"),
    "Mutation.upsertConnection": (Scope.WRITE, 'mutation { upsertConnection(input: {id: "crm"}) { id } }'),
    "Mutation.deleteConnection": (Scope.WRITE, 'mutation { deleteConnection(id: "con_none") }'),
    "Mutation.mergeEntities": (
        Scope.WRITE,
        'mutation { mergeEntities(from: "ent_none", into: "ent_none2") { id } }',
    ),
    "Mutation.unmergeEntities": (Scope.WRITE, 'mutation { unmergeEntities(id: "mrg_none") { id } }'),
    "Mutation.upsertEntities": (
        Scope.WRITE,
        'mutation { upsertEntities(inputs: [{type: "Person", name: "Ada"}]) { id } }',
    ),
    "Mutation.upsertRelations": (
        Scope.WRITE,
        'mutation { upsertRelations(inputs: [{type: "KNOWS", from: "ent_none", to: "ent_none"}]) { id } }',
    ),
    "Mutation.deleteEntity": (Scope.WRITE, 'mutation { deleteEntity(id: "ent_none") }'),
    "Mutation.restoreEntity": (Scope.WRITE, 'mutation { restoreEntity(id: "ent_none") { id } }'),
    "Mutation.deleteRelation": (Scope.WRITE, 'mutation { deleteRelation(id: "rel_none") }'),
    "Mutation.upsertEntityTypes": (
        Scope.WRITE,
        'mutation { upsertEntityTypes(inputs: [{name: "Person"}]) { id } }',
    ),
    "Mutation.upsertRelationTypes": (
        Scope.WRITE,
        'mutation { upsertRelationTypes(inputs: [{name: "KNOWS"}]) { id } }',
    ),
    "Mutation.deleteEntityType": (Scope.WRITE, 'mutation { deleteEntityType(name: "Nothing") }'),
    "Mutation.deleteRelationType": (Scope.WRITE, 'mutation { deleteRelationType(name: "NOTHING") }'),
    "Mutation.saveMemory": (Scope.WRITE, 'mutation { saveMemory(input: {content: "x"}) { outcome } }'),
    "Mutation.saveMemories": (Scope.WRITE, 'mutation { saveMemories(inputs: [{content: "y"}]) { outcome } }'),
    "Mutation.updateMemory": (
        Scope.WRITE,
        f'mutation {{ updateMemory(id: "{NOBODY}", input: {{}}) {{ id }} }}',
    ),
    "Mutation.deleteMemory": (Scope.WRITE, f'mutation {{ deleteMemory(id: "{NOBODY}") }}'),
    "Mutation.restoreMemory": (Scope.WRITE, f'mutation {{ restoreMemory(id: "{NOBODY}") {{ id }} }}'),
    "Mutation.clearMemories": (Scope.WRITE, 'mutation { clearMemories(input: {apiKeyId: "key_none"}) }'),
    "Mutation.compactMemories": (
        Scope.WRITE,
        "mutation { compactMemories(input: {dryRun: true}) { tokensSaved } }",
    ),
    "Mutation.rememberMessage": (
        Scope.WRITE,
        'mutation { rememberMessage(input: {content: "z"}) { outcome } }',
    ),
    "Mutation.rerunExtraction": (
        Scope.WRITE,
        f'mutation {{ rerunExtraction(id: "{NOBODY}") {{ outcome }} }}',
    ),
    "Mutation.associate": (
        Scope.WRITE,
        f'mutation {{ associate(input: {{fromId: "{NOBODY}", toId: "{NOBODY}2", type: PREFERS_OVER}}) {{ id }} }}',
    ),
    "Mutation.dissociate": (Scope.WRITE, 'mutation { dissociate(id: "assoc_none") }'),
    "Mutation.reindex": (Scope.WRITE, "mutation { reindex { pending } }"),
    "Mutation.cleanupVectorTier": (Scope.WRITE, "mutation { cleanupVectorTier { old } }"),
    "Mutation.retryJob": (Scope.WRITE, f'mutation {{ retryJob(id: "{NOBODY}") {{ id }} }}'),
    "Mutation.recordActions": (Scope.WRITE, f"mutation {{ recordActions(inputs: [{ACTION}]) }}"),
    "Mutation.promotePatterns": (Scope.WRITE, "mutation { promotePatterns { id } }"),
    "Mutation.annotatePattern": (
        Scope.WRITE,
        f'mutation {{ annotatePattern(id: "{NOBODY}", suppressed: true) {{ id }} }}',
    ),
    "Mutation.createMetric": (
        Scope.WRITE,
        f"mutation {{ createMetric(input: {METRIC}) {{ id }} }}",
    ),
    "Mutation.deleteMetric": (Scope.WRITE, f'mutation {{ deleteMetric(id: "{NOBODY}") }}'),
    "Mutation.deleteSequence": (Scope.WRITE, f'mutation {{ deleteSequence(id: "{NOBODY}") }}'),
    "Mutation.verifyMemory": (Scope.WRITE, "mutation { verifyMemory { working } }"),
    "Mutation.createWorkspace": (
        Scope.ADMIN,
        f'mutation {{ createWorkspace(input: {{name: "made {uuid4()}"}}) {{ id }} }}',
    ),
    "Mutation.updateWorkspace": (Scope.ADMIN, "mutation { updateWorkspace(input: {}) { id } }"),
    "Mutation.deleteWorkspace": (Scope.ADMIN, 'mutation { deleteWorkspace(id: "ws_none") }'),
    **ADMINISTRATION,
}

# The same for subscriptions, which use a websocket; all of them take a workspace.
SUBSCRIPTIONS: dict[str, tuple[Scope, str]] = {
    "Subscription.memoryEvents": (
        Scope.READ,
        "subscription($ws: ID) { memoryEvents(workspaceId: $ws) { memoryId } }",
    ),
    "Subscription.jobEvents": (Scope.READ, "subscription($ws: ID) { jobEvents(workspaceId: $ws) { id } }"),
}


def _naming(call: str, type_: str) -> str:
    """Return a call whose argument ``workspaceId`` is the variable ``$ws``."""
    operation, named = (
        parse(text).definitions[0] for text in (call, f"query($ws: {type_}) {{ x(workspaceId: $ws) }}")
    )
    field, example = (each.selection_set.selections[0] for each in (operation, named))
    field = replace(field, arguments=(*(field.arguments or ()), *example.arguments))
    selected = replace(operation.selection_set, selections=(field,))
    return print_ast(
        replace(operation, selection_set=selected, variable_definitions=named.variable_definitions)
    )


def _namings() -> dict[str, str]:
    roots = (schema._schema.query_type, schema._schema.mutation_type)
    fields = {f"{root.name}.{name}": field for root in roots for name, field in root.fields.items()}
    return {
        name: _naming(call, str(fields[name].args["workspaceId"].type))
        for name, (_, call) in OPERATIONS.items()
        if name in fields and "workspaceId" in fields[name].args
    }


# The operations that take a workspace, with the variable $ws.
NAMING = {
    **_namings(),
    "Query.workspace": "query($ws: ID) { workspace(id: $ws) { id } }",
    "Query.engine": "query($ws: ID!) { engine(workspaceIds: [$ws]) { tiers } }",
    "Mutation.updateWorkspace": "mutation($ws: ID) { updateWorkspace(id: $ws, input: {}) { id } }",
    "Mutation.deleteWorkspace": "mutation($ws: ID!) { deleteWorkspace(id: $ws) }",
    "Mutation.createApiKey": (
        'mutation($ws: ID) { createApiKey(input: {name: "k", scopes: [READ], workspaceId: $ws}) { key { id } } }'
    ),
    "Mutation.moveConversation": (
        'mutation($ws: ID!) { moveConversation(id: "conv_none", toWorkspaceId: $ws, workspaceId: $ws) { id } }'
    ),
}
# Calls with an id that exists in no workspace, so an authorised caller gets NOT_FOUND.
FIND_NOTHING = {
    "Query.traverse",
    "Query.paths",
    "Mutation.testWebhook",
    "Mutation.moveConversation",
    "Mutation.rerunExtraction",
    "Mutation.handoffSummary",
    "Mutation.extractMemories",
    "Mutation.updateMemory",
    "Mutation.retryJob",
    "Mutation.restoreMemory",
    "Mutation.associate",
    "Mutation.annotatePattern",
    "Mutation.upsertRelations",
    "Mutation.restoreEntity",
    "Mutation.deleteConnection",
    "Mutation.mergeEntities",
    "Mutation.undoAutomaticChange",
    "Mutation.unmergeEntities",
}
# Calls of features that these tests do not enable.
OFF = {"Mutation.cleanupVectorTier", "Query.searchVectorTier"}
NAMES_NOTHING_THERE = FIND_NOTHING | {
    f"Mutation.{name}" for name in ("deleteWorkspace", "revokeApiKey", "rotateApiKey", "limitApiKey")
}
