"""``recollect webhooks`` (15.10)."""

from tests.fixtures.webhook_server import taking_webhooks


async def test_a_webhook_is_made_tested_listed_and_deleted(admin_cli, workspace_id: str) -> None:
    with taking_webhooks() as server:
        made = await admin_cli.run(
            "webhooks", "create", server.url, "--event", "memory.saved", "-w", workspace_id
        )
        id_ = made.stderr.split("id: ")[1].split()[0]
        tested = await admin_cli.ok("webhooks", "test", id_, "-w", workspace_id)
        listed = await admin_cli.ok("webhooks", "list", "-w", workspace_id)
        deleted = await admin_cli.ok("webhooks", "delete", id_, "-w", workspace_id)

    assert made.stdout.startswith("whsec_")
    assert tested.startswith("will be delivered as evt_")
    assert id_ in listed
    assert made.stdout.strip() not in listed
    assert deleted == f"deleted {id_}\n"
    assert f"there is no webhook {id_}" in await admin_cli.error(
        "webhooks", "delete", id_, "-w", workspace_id
    )


async def test_an_invalid_webhook_address_is_an_error(admin_cli, workspace_id: str) -> None:
    assert "url must begin with" in await admin_cli.error(
        "webhooks", "create", "ftp://x.example", "-w", workspace_id
    )
