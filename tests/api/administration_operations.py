"""GraphQL operations for administration, moves and bulk changes, which ``tests.api.operations`` lists."""

from graph.tenancy.models import Scope

KEYS: dict[str, tuple[Scope | None, str]] = {
    "Mutation.createApiKey": (
        Scope.ADMIN,
        'mutation { createApiKey(input: {name: "k", scopes: [READ]}) { secret } }',
    ),
    "Mutation.revokeApiKey": (Scope.ADMIN, 'mutation { revokeApiKey(id: "key_none") }'),
    "Mutation.rotateApiKey": (Scope.ADMIN, 'mutation { rotateApiKey(id: "key_none") { secret } }'),
    "Mutation.limitApiKey": (Scope.ADMIN, 'mutation { limitApiKey(id: "key_none") { id } }'),
}
WEBHOOKS: dict[str, tuple[Scope | None, str]] = {
    "Query.webhooks": (Scope.ADMIN, "{ webhooks { id } }"),
    "Mutation.createWebhook": (
        Scope.ADMIN,
        'mutation { createWebhook(input: {url: "https://x.example", events: [JOB_FAILED]}) { secret } }',
    ),
    "Mutation.deleteWebhook": (Scope.ADMIN, 'mutation { deleteWebhook(id: "whk_none") }'),
    "Mutation.testWebhook": (Scope.ADMIN, 'mutation { testWebhook(id: "whk_none") }'),
}
USERS_AND_BULK: dict[str, tuple[Scope | None, str]] = {
    "Query.users": (Scope.READ, "{ users { edges { node { id } } } }"),
    "Query.profile": (Scope.READ, "{ profile { tokens } }"),
    "Query.user": (Scope.READ, '{ user(id: "nobody") { id } }'),
    "Mutation.eraseUser": (Scope.ADMIN, 'mutation { eraseUser(userId: "nobody") { total } }'),
    "Mutation.saveMemoryBatch": (
        Scope.WRITE,
        'mutation { saveMemoryBatch(inputs: [{content: "y"}]) { receipts { outcome } } }',
    ),
    "Mutation.deleteMemories": (
        Scope.WRITE,
        'mutation { deleteMemories(selection: {ids: ["mem_none"]}) { matched } }',
    ),
    "Mutation.changeMemories": (
        Scope.WRITE,
        'mutation { changeMemories(selection: {ids: ["mem_none"]}, change: {addTags: ["x"]}) { matched } }',
    ),
}
MOVES: dict[str, tuple[Scope | None, str]] = {
    "Mutation.moveConversation": (
        Scope.WRITE,
        'mutation { moveConversation(id: "conv_none", toWorkspaceId: "ws_none") { id } }',
    ),
}
LANGUAGE_MODELS: dict[str, tuple[Scope | None, str]] = {
    "Query.languageModel": (Scope.ADMIN, "{ languageModel { url } }"),
    "Mutation.setLanguageModel": (
        Scope.ADMIN,
        'mutation { setLanguageModel(input: {url: "http://127.0.0.1:9/v1", model: "m"}) { hasKey } }',
    ),
    "Mutation.removeLanguageModel": (Scope.ADMIN, "mutation { removeLanguageModel }"),
}
SETTINGS: dict[str, tuple[Scope | None, str]] = {
    "Mutation.updateSettings": (Scope.ADMIN, "mutation { updateSettings(input: {}) { strategy } }"),
    "Mutation.updateVectorTier": (Scope.ADMIN, "mutation { updateVectorTier(input: {}) { enabled } }"),
    "Mutation.testEmbedder": (Scope.ADMIN, "mutation { testEmbedder(input: {}) { working } }"),
    "Mutation.testReranker": (Scope.ADMIN, "mutation { testReranker(input: {}) { working } }"),
    "Mutation.testVectorTier": (Scope.ADMIN, "mutation { testVectorTier(input: {}) { working } }"),
}
ADMINISTRATION = {**KEYS, **SETTINGS, **WEBHOOKS, **USERS_AND_BULK, **MOVES, **LANGUAGE_MODELS}
