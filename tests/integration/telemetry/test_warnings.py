"""The patterns that an agent is warned of, however it names its target."""

from graph.knowledge.ontology.models import EntityDraft, EntityTypeDraft
from tests.fixtures.telemetry import failing


async def test_agents_are_warned_by_key_alias_and_supertype_of_the_target(
    services, telemetry, agents_workspace_id
) -> None:
    """G12: by key in any case, by a supertype or synonym of the target's type, and for an unknown target."""
    types = [EntityTypeDraft(name="Service"), EntityTypeDraft(name="WebService", parent="Service")]
    await services.knowledge.ontology.types.upsert_entity_types(agents_workspace_id, types)
    (shop, _) = await services.knowledge.ontology.upsert_entities(
        agents_workspace_id,
        [
            EntityDraft(type="WebService", name="shop", key="shop"),
            EntityDraft(type="Person", name="Ada", key="ada"),
        ],
    )
    for kind, node_type, target in (
        ("deploy", "service", None), ("rent", "Van", None), ("restart", "workload", "shop"),
    ):  # fmt: skip
        drafts = [
            failing(f"{kind}{n}", action_type=kind, node_type=node_type, target_id=target) for n in range(5)
        ]
        await telemetry.recorder.record(agents_workspace_id, drafts)
    await telemetry.promoter.promote(agents_workspace_id)

    async def told(**targets) -> list[str]:
        patterns = await telemetry.reader.patterns_for(agents_workspace_id, **targets)
        return sorted(pattern.action_type for pattern in patterns)

    assert await told(node_types=["Service"]) == ["deploy"]
    assert await told(target_ids=["shop"]) == await told(target_ids=[shop.id]) == ["deploy", "restart"]
    assert await told(target_ids=["ada"], action_type="deploy") == []
    assert await told(target_ids=["payments"], action_type="rent") == ["rent"]
    assert await told(target_ids=["payments"]) == []
