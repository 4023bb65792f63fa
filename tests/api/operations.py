"""Every GraphQL operation with the scope it needs, and calls of it that do no harm."""

from uuid import uuid4

from graph.tenancy.models import Scope
from tests.api.administration_operations import ADMINISTRATION, NAMING_OF_ADMINISTRATION

NOBODY = "mem_ofNobody0000000000000000"
PAGE = "edges { node { id } }"
METRIC = '{name: "deployments", aggregate: COUNT, actionType: "deploy"}'
MESSAGES = '{conversationId: "c", messages: [{content: "x"}]}'
ACTION = '{sessionId: "s", actionType: "deploy", nodeType: "Service", outcome: SUCCESS}'

# For each operation: the scope it needs (None: any valid key) and a call of it that does no harm.
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

# The same for subscriptions, which go over a websocket; all of them take a workspace.
SUBSCRIPTIONS: dict[str, tuple[Scope, str]] = {
    "Subscription.memoryEvents": (
        Scope.READ,
        "subscription($ws: ID) { memoryEvents(workspaceId: $ws) { memoryId } }",
    ),
    "Subscription.jobEvents": (Scope.READ, "subscription($ws: ID) { jobEvents(workspaceId: $ws) { id } }"),
}

# The operations that take a workspace, in a form with the variable $ws.
NAMING = {
    "Query.workspace": "query($ws: ID) { workspace(id: $ws) { id } }",
    "Query.engine": "query($ws: ID!) { engine(workspaceIds: [$ws]) { tiers } }",
    "Query.settings": "query($ws: ID) { settings(workspaceId: $ws) { strategy } }",
    "Query.searchVectorTier": ('query($ws: ID) { searchVectorTier(query: "x", workspaceId: $ws) { score } }'),
    **NAMING_OF_ADMINISTRATION,
    "Query.apiKeys": "query($ws: ID) { apiKeys(workspaceId: $ws) { id } }",
    "Query.memory": f'query($ws: ID) {{ memory(id: "{NOBODY}", workspaceId: $ws) {{ id }} }}',
    "Query.memories": f"query($ws: ID) {{ memories(workspaceId: $ws) {{ {PAGE} }} }}",
    "Query.recall": 'query($ws: ID) { recall(input: {query: "x"}, workspaceId: $ws) { totalTokens } }',
    "Query.context": 'query($ws: ID) { context(input: {query: "x"}, workspaceId: $ws) { prompt } }',
    "Query.search": 'query($ws: ID) { search(query: "x", workspaceId: $ws) { markdown } }',
    "Query.ask": 'query($ws: ID) { ask(question: "x", workspaceId: $ws) { supported } }',
    "Query.promptRuns": f"query($ws: ID) {{ promptRuns(workspaceId: $ws) {{ {PAGE} }} }}",
    "Query.jobs": f"query($ws: ID) {{ jobs(workspaceId: $ws) {{ {PAGE} }} }}",
    "Query.actions": f"query($ws: ID) {{ actions(workspaceId: $ws) {{ {PAGE} }} }}",
    "Query.sequences": f"query($ws: ID) {{ sequences(workspaceId: $ws) {{ {PAGE} }} }}",
    "Query.memoryOutcomes": (
        "query($ws: ID) { memoryOutcomes(workspaceId: $ws) { pageInfo { endCursor } } }"
    ),
    "Query.metrics": "query($ws: ID) { metrics(workspaceId: $ws) { id } }",
    "Query.benchmark": 'query($ws: ID) { benchmark(metric: "error_rate", workspaceId: $ws) { days } }',
    "Query.agentTelemetry": "query($ws: ID) { agentTelemetry(workspaceId: $ws) { workspaceId } }",
    "Query.agentMemory": "query($ws: ID) { agentMemory(workspaceId: $ws) { workspaceId } }",
    "Query.patterns": f"query($ws: ID) {{ patterns(workspaceId: $ws) {{ {PAGE} }} }}",
    "Query.searchPatterns": ('query($ws: ID) { searchPatterns(query: "x", workspaceId: $ws) { id } }'),
    "Query.entity": 'query($ws: ID) { entity(id: "ent_none", workspaceId: $ws) { id } }',
    "Query.entities": f"query($ws: ID) {{ entities(workspaceId: $ws) {{ {PAGE} }} }}",
    "Query.traverse": (
        f'query($ws: ID) {{ traverse(input: {{start: ["{NOBODY}"]}}, workspaceId: $ws) {{ truncated }} }}'
    ),
    "Query.paths": (
        f'query($ws: ID) {{ paths(from: "{NOBODY}", to: "{NOBODY}", workspaceId: $ws) {{ length }} }}'
    ),
    "Query.searchEntities": (
        'query($ws: ID) { searchEntities(query: "x", workspaceId: $ws) { hits { score } } }'
    ),
    "Query.document": f'query($ws: ID) {{ document(id: "{NOBODY}", workspaceId: $ws) {{ id }} }}',
    "Query.documents": f"query($ws: ID) {{ documents(workspaceId: $ws) {{ {PAGE} }} }}",
    "Query.chunk": f'query($ws: ID) {{ chunk(id: "{NOBODY}", workspaceId: $ws) {{ id }} }}',
    "Query.artifact": f'query($ws: ID) {{ artifact(id: "{NOBODY}", workspaceId: $ws) {{ id }} }}',
    "Query.artifacts": f"query($ws: ID) {{ artifacts(workspaceId: $ws) {{ {PAGE} }} }}",
    "Mutation.addDocument": (
        'mutation($ws: ID) { addDocument(input: {key: "k", content: "x"}, workspaceId: $ws) { id } }'
    ),
    "Mutation.deleteDocument": f'mutation($ws: ID) {{ deleteDocument(id: "{NOBODY}", workspaceId: $ws) }}',
    "Mutation.addArtifact": (
        'mutation($ws: ID) { addArtifact(input: {name: "x"}, workspaceId: $ws) { id } }'
    ),
    "Mutation.deleteArtifact": f'mutation($ws: ID) {{ deleteArtifact(id: "{NOBODY}", workspaceId: $ws) }}',
    "Query.conversation": (f'query($ws: ID) {{ conversation(id: "{NOBODY}", workspaceId: $ws) {{ id }} }}'),
    "Query.conversations": f"query($ws: ID) {{ conversations(workspaceId: $ws) {{ {PAGE} }} }}",
    "Mutation.appendMessages": (
        f"mutation($ws: ID) {{ appendMessages(input: {MESSAGES}, workspaceId: $ws) {{ id }} }}"
    ),
    "Mutation.deleteConversation": (
        f'mutation($ws: ID) {{ deleteConversation(id: "{NOBODY}", workspaceId: $ws) }}'
    ),
    "Mutation.extractMemories": (
        f'mutation($ws: ID) {{ extractMemories(conversationId: "{NOBODY}", workspaceId: $ws) {{ id }} }}'
    ),
    "Query.deletionSuggestions": (
        "query($ws: ID) { deletionSuggestions(workspaceId: $ws) { pageInfo { endCursor } } }"
    ),
    "Mutation.confirmDeletion": (
        f'mutation($ws: ID) {{ confirmDeletion(memoryId: "{NOBODY}", workspaceId: $ws) }}'
    ),
    "Mutation.dismissDeletion": (
        f'mutation($ws: ID) {{ dismissDeletion(memoryId: "{NOBODY}", workspaceId: $ws) }}'
    ),
    "Query.automaticChanges": (
        "query($ws: ID) { automaticChanges(workspaceId: $ws) { pageInfo { endCursor } } }"
    ),
    "Query.doubtfulFacts": "query($ws: ID) { doubtfulFacts(workspaceId: $ws) { pageInfo { endCursor } } }",
    "Mutation.undoAutomaticChange": (
        f'mutation($ws: ID) {{ undoAutomaticChange(id: "{NOBODY}", workspaceId: $ws) {{ id }} }}'
    ),
    "Mutation.distill": ('mutation($ws: ID) { distill(input: {source: TOOL, text: "x"}, workspaceId: $ws) }'),
    "Query.workingSet": 'query($ws: ID) { workingSet(conversationId: "c", slot: "s", workspaceId: $ws) }',
    "Mutation.setWorkingSet": (
        'mutation($ws: ID) { setWorkingSet(conversationId: "c", slot: "s", value: 1, workspaceId: $ws) }'
    ),
    "Mutation.clearWorkingSet": 'mutation($ws: ID) { clearWorkingSet(conversationId: "c", workspaceId: $ws) }',
    "Query.episodes": f"query($ws: ID) {{ episodes(workspaceId: $ws) {{ {PAGE} }} }}",
    "Mutation.consolidateConversation": (
        f'mutation($ws: ID) {{ consolidateConversation(id: "{NOBODY}", workspaceId: $ws) {{ id }} }}'
    ),
    "Mutation.handoffSummary": (
        f'mutation($ws: ID) {{ handoffSummary(conversationId: "{NOBODY}", workspaceId: $ws) {{ id }} }}'
    ),
    "Query.ontology": "query($ws: ID) { ontology(workspaceId: $ws) { isStrict } }",
    "Query.exportOntology": "query($ws: ID) { exportOntology(workspaceId: $ws) { content } }",
    "Mutation.importOntology": (
        'mutation($ws: ID) { importOntology(input: {content: "{}"}, workspaceId: $ws) { dryRun } }'
    ),
    "Query.connections": f"query($ws: ID) {{ connections(workspaceId: $ws) {{ {PAGE} }} }}",
    "Query.contradictions": "query($ws: ID) { contradictions(workspaceId: $ws) { newer { id } } }",
    "Query.alikeEntities": "query($ws: ID) { alikeEntities(workspaceId: $ws) { entity { id } } }",
    "Query.entityMerges": f"query($ws: ID) {{ entityMerges(workspaceId: $ws) {{ {PAGE} }} }}",
    "Mutation.upsertConnection": (
        'mutation($ws: ID) { upsertConnection(input: {id: "crm"}, workspaceId: $ws) { id } }'
    ),
    "Mutation.deleteConnection": 'mutation($ws: ID) { deleteConnection(id: "con_none", workspaceId: $ws) }',
    "Mutation.mergeEntities": (
        'mutation($ws: ID) { mergeEntities(from: "ent_none", into: "ent_none2", workspaceId: $ws) { id } }'
    ),
    "Mutation.unmergeEntities": 'mutation($ws: ID) { unmergeEntities(id: "mrg_none", workspaceId: $ws) { id } }',
    "Mutation.upsertEntities": (
        'mutation($ws: ID) { upsertEntities(inputs: [{type: "Person", name: "Ada"}], workspaceId: $ws) { id } }'
    ),
    "Mutation.upsertRelations": (
        'mutation($ws: ID) { upsertRelations(inputs: [{type: "KNOWS", from: "ent_none", to: "ent_none"}], '
        "workspaceId: $ws) { id } }"
    ),
    "Mutation.deleteEntity": 'mutation($ws: ID) { deleteEntity(id: "ent_none", workspaceId: $ws) }',
    "Mutation.restoreEntity": 'mutation($ws: ID) { restoreEntity(id: "ent_none", workspaceId: $ws) { id } }',
    "Mutation.deleteRelation": 'mutation($ws: ID) { deleteRelation(id: "rel_none", workspaceId: $ws) }',
    "Mutation.upsertEntityTypes": (
        'mutation($ws: ID) { upsertEntityTypes(inputs: [{name: "Person"}], workspaceId: $ws) { id } }'
    ),
    "Mutation.upsertRelationTypes": (
        'mutation($ws: ID) { upsertRelationTypes(inputs: [{name: "KNOWS"}], workspaceId: $ws) { id } }'
    ),
    "Mutation.deleteEntityType": 'mutation($ws: ID) { deleteEntityType(name: "Nothing", workspaceId: $ws) }',
    "Mutation.deleteRelationType": (
        'mutation($ws: ID) { deleteRelationType(name: "NOTHING", workspaceId: $ws) }'
    ),
    "Mutation.saveMemory": (
        'mutation($ws: ID) { saveMemory(input: {content: "x"}, workspaceId: $ws) { outcome } }'
    ),
    "Mutation.saveMemories": (
        'mutation($ws: ID) { saveMemories(inputs: [{content: "y"}], workspaceId: $ws) { outcome } }'
    ),
    "Mutation.updateMemory": (
        f'mutation($ws: ID) {{ updateMemory(id: "{NOBODY}", input: {{}}, workspaceId: $ws) {{ id }} }}'
    ),
    "Mutation.deleteMemory": f'mutation($ws: ID) {{ deleteMemory(id: "{NOBODY}", workspaceId: $ws) }}',
    "Mutation.restoreMemory": (
        f'mutation($ws: ID) {{ restoreMemory(id: "{NOBODY}", workspaceId: $ws) {{ id }} }}'
    ),
    "Mutation.clearMemories": (
        'mutation($ws: ID) { clearMemories(input: {apiKeyId: "key_none"}, workspaceId: $ws) }'
    ),
    "Mutation.compactMemories": (
        "mutation($ws: ID) { compactMemories(input: {dryRun: true}, workspaceId: $ws) { tokensSaved } }"
    ),
    "Mutation.rememberMessage": (
        'mutation($ws: ID) { rememberMessage(input: {content: "z"}, workspaceId: $ws) { outcome } }'
    ),
    "Mutation.rerunExtraction": (
        f'mutation($ws: ID) {{ rerunExtraction(id: "{NOBODY}", workspaceId: $ws) {{ outcome }} }}'
    ),
    "Mutation.associate": (
        f'mutation($ws: ID) {{ associate(input: {{fromId: "{NOBODY}", toId: "{NOBODY}2", type: PREFERS_OVER}}, '
        "workspaceId: $ws) { id } }"
    ),
    "Mutation.dissociate": 'mutation($ws: ID) { dissociate(id: "assoc_none", workspaceId: $ws) }',
    "Mutation.reindex": "mutation($ws: ID) { reindex(workspaceId: $ws) { pending } }",
    "Mutation.cleanupVectorTier": "mutation($ws: ID) { cleanupVectorTier(workspaceId: $ws) { old } }",
    "Mutation.retryJob": f'mutation($ws: ID) {{ retryJob(id: "{NOBODY}", workspaceId: $ws) {{ id }} }}',
    "Mutation.recordActions": (
        f"mutation($ws: ID) {{ recordActions(inputs: [{ACTION}], workspaceId: $ws) }}"
    ),
    "Mutation.promotePatterns": "mutation($ws: ID) { promotePatterns(workspaceId: $ws) { id } }",
    "Mutation.annotatePattern": (
        f'mutation($ws: ID) {{ annotatePattern(id: "{NOBODY}", note: "x", workspaceId: $ws) {{ id }} }}'
    ),
    "Mutation.deleteSequence": (f'mutation($ws: ID) {{ deleteSequence(id: "{NOBODY}", workspaceId: $ws) }}'),
    "Mutation.createMetric": (
        f"mutation($ws: ID) {{ createMetric(input: {METRIC}, workspaceId: $ws) {{ id }} }}"
    ),
    "Mutation.deleteMetric": f'mutation($ws: ID) {{ deleteMetric(id: "{NOBODY}", workspaceId: $ws) }}',
    "Mutation.updateWorkspace": "mutation($ws: ID) { updateWorkspace(id: $ws, input: {}) { id } }",
    "Mutation.deleteWorkspace": "mutation($ws: ID!) { deleteWorkspace(id: $ws) }",
    "Mutation.createApiKey": (
        'mutation($ws: ID) { createApiKey(input: {name: "k", scopes: [READ], workspaceId: $ws}) { key { id } } }'
    ),
}
# Calls that name a memory or a job which is in no workspace, so that those who may look do not find it.
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
# Calls of what is not enabled in these tests.
OFF = {"Mutation.cleanupVectorTier", "Query.searchVectorTier"}
NAMES_NOTHING_THERE = FIND_NOTHING | {
    f"Mutation.{name}" for name in ("deleteWorkspace", "revokeApiKey", "rotateApiKey", "limitApiKey")
}
