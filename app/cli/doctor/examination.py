"""Checks of ``recollect doctor``: each returns its result and, after a failure, the remedy."""

import asyncio

from app.cli.doctor.findings import Finding
from app.cli.doctor.machine import (
    check_data_folder,
    check_embedder,
    check_jars,
    check_java,
    check_language_model,
    check_packages,
    check_ports,
    check_python,
)
from app.cli.doctor.servers import check_neo4j, check_qdrant, check_redis
from app.cli.doctor.service import check_service, serves
from app.cli.profile.stored import is_named, running_port
from app.client.loopback import is_here
from app.embedded.data_folder import data_folder, find_holder
from app.settings import Settings


async def examine(settings: Settings, url: str) -> list[Finding]:
    """Run every check; none of them starts, changes or repairs anything.

    Args:
        settings: Of this machine.
        url: The service that commands speak to; where that is another machine's, so are the servers behind it.
    """
    if not is_here(url):
        return [check_python(), check_packages(), await check_service(url, is_needed=True)]
    holder = await asyncio.to_thread(find_holder, data_folder(settings.data_dir))
    findings = [
        check_python(),
        check_packages(),
        check_embedder(settings),
        check_language_model(settings),
        check_data_folder(settings, holder),
    ]
    port = running_port(settings) or settings.port
    findings += check_ports(settings, holder, port, is_served=await serves(settings.host, port))
    if settings.neo4j.uri is None:
        findings += [await asyncio.to_thread(check_java)]
        findings += [await asyncio.to_thread(check_jars)]
    findings += [finding async for finding in check_neo4j(settings, holder)]
    findings.append(await check_redis(settings, holder))
    qdrant = await check_qdrant(settings)
    findings += [qdrant] if qdrant else []
    return [*findings, await check_service(url, is_needed=is_named(settings, url))]
