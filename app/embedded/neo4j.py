"""The embedded Neo4j Community server: configured, started, given a password, and supervised."""

import asyncio
import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import psutil
from neo4j import AsyncDriver, AsyncGraphDatabase, Query
from neo4j.exceptions import AuthError, DriverError, Neo4jError
from pydantic import TypeAdapter

from app.embedded.errors import ServerFailed
from app.embedded.jars import OnProgress, fetch_jars
from app.embedded.java import VECTOR_MODULE, Java, choose_java
from app.embedded.ports import LOOPBACK, choose_port, is_free, listening_ports
from app.embedded.process import ServerProcess
from cypher import load

USER = "neo4j"
_INITIAL_PASSWORD = "neo4j"  # noqa: S105 -- what every new server starts with; replaced before anything is served
_BROWSER_POLICY = (
    "default-src 'self'; script-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self'; "
    "connect-src 'self' ws://127.0.0.1:* ws://localhost:* http://127.0.0.1:* http://localhost:*; "
    "base-uri 'none'; object-src 'none'; frame-ancestors 'none'"
)
"""Neo4j's policy without other hosts, from which Neo4j Browser loads fonts, analytics and news in any case."""
_MAIN_CLASS = "org.neo4j.server.Neo4jCommunity"
_USUAL_BOLT_PORT = 7687
_USUAL_HTTP_PORT = 7474
_MOST_STARTS = 5
_STOPPED_LINE = "INFO  Stopped."
"""Neo4j's log line after closing its databases; Java may still write its class archive for many seconds."""
_MB = 1024 * 1024
_MOST_MB = 4096  # of heap, and of page cache, unless set


@dataclass(frozen=True)
class Neo4jAddress:
    """Address and login of a server.

    Attributes:
        uri: Bolt URI.
        user: User name.
        password: Password of that user.
        browser_url: Address of Neo4j Browser.
    """

    uri: str
    user: str
    password: str
    browser_url: str


_ADDRESS = TypeAdapter(Neo4jAddress)


class EmbeddedNeo4j:
    """A Neo4j server on loopback with its data in ``folder``.

    Lives from ``start`` to ``stop``; ports and password stay the same in between, even if the server is restarted after
    a crash. One process at a time may use the folder (see ``app/embedded/data_folder.py``).
    """

    def __init__(
        self,
        folder: Path,
        *,
        bolt_port: int = 0,
        http_port: int = 0,
        heap_mb: int | None = None,
        pagecache_mb: int | None = None,
        java_home: Path | None = None,
        class_archive: Path | None = None,
        settings: Mapping[str, str] = MappingProxyType({}),
        collector: Literal["G1", "Serial"] = "G1",
        java_options: Sequence[str] = (),
        on_progress: OnProgress = lambda _stage, _done, _total: None,
    ) -> None:
        """Store the settings of the group ``neo4j``; before ``start``, nothing is read or written.

        Args:
            folder: Data folder; created if missing.
            bolt_port: Bolt port; 0: 7687, or any free port.
            http_port: HTTP port; 0: 7474, or any free port.
            heap_mb: Java heap; None: an eighth of the machine's memory, 512 to 4096.
            pagecache_mb: Page cache; None: a tenth of the machine's memory, 128 to 4096.
            java_home: A JDK to look at first.
            class_archive: File for the loaded classes (150 MB), which saves a third of a start's processor time; a stop
                writes it if it is missing or of another Java, and any number of servers may share it.
            settings: Settings of Neo4j that override those chosen here.
            collector: Garbage collector. G1 pauses shortly; Serial takes less processor time.
            java_options: Further options of the Java virtual machine.
            on_progress: Receives the progress.
        """
        self._folder = folder.resolve()
        self._wanted_ports = (bolt_port, http_port)
        self._heap_mb = heap_mb or _share_of_memory(8, lowest=512)
        self._pagecache_mb = pagecache_mb or _share_of_memory(10, lowest=128)
        self._java_home = java_home
        self._class_archive = class_archive
        self._settings = settings
        self._collector = collector
        self._java_options = java_options
        self._on_progress = on_progress
        self._java: Java | None = None
        self._jars: list[Path] = []
        self._ports = (0, 0)
        self._password = ""
        self._process = ServerProcess(
            "neo4j",
            command=self._command,
            is_ready=self._is_ready,
            folder=self._folder,
            own_log=self._folder / "logs" / "neo4j.log",
            stopped_line=_STOPPED_LINE,
            on_wait=lambda line: on_progress(f"Waiting for Neo4j: {line}", 0, 0),
        )

    @property
    def pid(self) -> int | None:
        """Process id of the running server."""
        return self._process.pid

    @property
    def password_file(self) -> Path:
        """Path of the generated password; only its owner can read it."""
        return password_file(self._folder)

    @property
    def address(self) -> Neo4jAddress:
        """Address of the server; complete once it has started."""
        bolt_port, http_port = self._ports
        return Neo4jAddress(
            uri=f"bolt://{LOOPBACK}:{bolt_port}",
            user=USER,
            password=self._password,
            browser_url=f"http://{LOOPBACK}:{http_port}/browser/",
        )

    async def start(self) -> Neo4jAddress:
        """Fetch missing jars, start the server and return once its database accepts queries.

        Raises:
            JavaNotFound: The Java in the settings cannot run it.
            JarsIncomplete: A jar is missing and cannot be fetched.
            PortTaken: A port in the settings is in use.
            ServerFailed: The server ended, did not answer, or has another password than the file.
        """
        self._jars = await fetch_jars(self._on_progress)
        self._java = await asyncio.to_thread(choose_java, self._java_home)
        await self._process.end_leftover()
        self._password = _read_or_make_password(self.password_file)
        self._on_progress("Starting Neo4j", 0, 0)
        for attempt in range(1, _MOST_STARTS + 1):
            self._ports = (
                choose_port(self._wanted_ports[0], _USUAL_BOLT_PORT, "RECOLLECT_NEO4J_BOLT_PORT"),
                choose_port(self._wanted_ports[1], _USUAL_HTTP_PORT, "RECOLLECT_NEO4J_HTTP_PORT"),
            )
            self._write_configuration()
            try:
                with self._without_part_of_an_archive():
                    await self._process.start()
            except ServerFailed:
                if attempt == _MOST_STARTS or all(is_free(port) for port in self._ports):
                    raise
                # Somebody was faster to take a port: another one is chosen, or refused where it was asked for.
            else:
                break
        return self.address

    async def stop(self) -> None:
        """Shut the server down cleanly; kill it if it has not ended within 15 s."""
        archive_before = self._archive_time()
        if not await self._process.stop():
            self._remove_archive_made_since(archive_before)

    @contextmanager
    def _without_part_of_an_archive(self) -> Iterator[None]:
        """Remove the class archive of a failed start, because it contains only a few classes."""
        archive_before = self._archive_time()
        try:
            yield
        except BaseException:
            self._remove_archive_made_since(archive_before)
            raise

    def _archive_time(self) -> int:
        """Return the modification time of the class archive in ns; 0 without an archive."""
        if self._class_archive is None or not self._class_archive.is_file():
            return 0
        return self._class_archive.stat().st_mtime_ns

    def _remove_archive_made_since(self, before: int) -> None:
        if self._class_archive is not None and self._archive_time() != before:
            self._class_archive.unlink(missing_ok=True)

    def _write_configuration(self) -> None:
        bolt_port, http_port = self._ports
        settings = {
            "server.default_listen_address": LOOPBACK,
            "server.bolt.listen_address": f"{LOOPBACK}:{bolt_port}",
            "server.bolt.advertised_address": f"{LOOPBACK}:{bolt_port}",  # what Browser connects to
            "server.http.listen_address": f"{LOOPBACK}:{http_port}",
            "server.http.advertised_address": f"{LOOPBACK}:{http_port}",
            "server.https.enabled": "false",
            "server.memory.pagecache.size": f"{self._pagecache_mb}m",
            "server.directories.data": str(self._folder / "data"),
            "server.directories.logs": str(self._folder / "logs"),
            "server.directories.transaction.logs.root": str(self._folder / "transactions"),
            "db.tx_log.rotation.size": "32m",  # preallocated, per database: the default takes 512 MB
            "db.tx_log.rotation.retention_policy": "256m size",
            "internal.server.bolt.connection_shutdown_wait_time": "500ms",  # stopping took 10 s
            "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration": "0s",
            "dbms.security.auth_enabled": "true",
            # a stray client with an old password must not lock the service out; 192 random bits are not guessed
            "dbms.security.auth_max_failed_attempts": "0",
            "dbms.usage_report.enabled": "false",
            "client.allow_telemetry": "false",
            "dbms.security.http_static_content_security_policy_header": _BROWSER_POLICY,
            # A plan made for an almost empty store reads a whole workspace for each row. Neo4j's 10 s are too long for
            # an import into a new store.
            "dbms.cypher.min_replan_interval": "1s",
            # One plan serves lists of any length; else each size, none, one, a few, many, is planned for 0.7 s.
            "internal.cypher.use_parameter_size": "false",
            **self._settings,
        }
        text = "".join(f"{name}={value}\n" for name, value in settings.items())
        configuration = self._folder / "conf"
        configuration.mkdir(parents=True, exist_ok=True)
        (configuration / "neo4j.conf").write_text(text)
        _address_file(self._folder).write_bytes(_ADDRESS.dump_json(self.address, exclude={"password"}))
        (self._folder / "classpath").write_text(f'-cp "{os.pathsep.join(map(str, self._jars))}"\n')

    def _command(self) -> Sequence[str]:
        if self._java is None:
            raise RuntimeError("call start() first, which chooses the Java")
        vector_module = [f"--add-modules={VECTOR_MODULE}"] if self._java.has_vector else []
        class_archive = (
            ["-XX:+AutoCreateSharedArchive", f"-XX:SharedArchiveFile={self._class_archive.resolve()}"]
            if self._class_archive
            else []
        )
        return [
            str(self._java.executable),
            f"-Xms{min(self._heap_mb, 256)}m",
            f"-Xmx{self._heap_mb}m",
            f"-XX:+Use{self._collector}GC",
            "-XX:+ExitOnOutOfMemoryError",  # without heap it would answer nothing; it is restarted
            "-Dfile.encoding=UTF-8",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            *vector_module,
            *class_archive,
            *self._java_options,
            f"@{self._folder / 'classpath'}",
            _MAIN_CLASS,
            f"--home-dir={self._folder}",
            f"--config-dir={self._folder / 'conf'}",
        ]

    async def _is_ready(self) -> bool:
        """Tell whether the database accepts queries; sets the password of a new server."""
        if not listening_ports(self._process.pid).issuperset(self._ports):
            return False  # whoever else answers there is not logged in to, let alone given a password
        try:
            return await self._takes_transactions()
        except AuthError:
            await self._give_password()
        except (DriverError, Neo4jError, OSError):
            return False
        return False

    async def _give_password(self) -> None:
        """Set the password of a new server; refuse a server whose password differs from the file."""
        try:
            await self._change_initial_password()
        except AuthError as error:
            raise ServerFailed(
                f"the password in {self.password_file} is not the server's; put the server's password into it, "
                f"or restore {self._folder} from a backup"
            ) from error
        except (DriverError, Neo4jError, OSError):
            return  # it is still starting, and asked again

    async def _takes_transactions(self) -> bool:
        async with self._driver(self._password) as driver, driver.session(database="neo4j") as session:
            transaction = await session.begin_transaction()
            await transaction.rollback()
        return True

    async def _change_initial_password(self) -> None:
        async with self._driver(_INITIAL_PASSWORD) as driver:
            await driver.execute_query(
                Query(load("set_password").text),
                {"old_password": _INITIAL_PASSWORD, "new_password": self._password},
                database_="system",
            )

    def _driver(self, password: str) -> AsyncDriver:
        return AsyncGraphDatabase.driver(self.address.uri, auth=(USER, password), connection_timeout=5)


def read_address(folder: Path) -> Neo4jAddress | None:
    """Return the address of the server that was last started in ``folder``; None before the first start."""
    try:
        written = json.loads(_address_file(folder).read_bytes())
        return Neo4jAddress(**written, password=password_file(folder).read_text())
    except FileNotFoundError:
        return None


def _address_file(folder: Path) -> Path:
    return folder / "address.json"


def password_file(folder: Path) -> Path:
    """Return the path of the server's password file; the first start creates it."""
    return folder / "password"


def _read_or_make_password(file: Path) -> str:
    """Return the file's password; the file is written before the server's password is set, so a crash is harmless."""
    with suppress(FileNotFoundError):
        return file.read_text().strip()
    password = secrets.token_urlsafe(24)
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(".draft")
    draft.unlink(missing_ok=True)
    draft.touch(mode=0o600)
    draft.write_text(password)
    draft.rename(file)
    return password


def _share_of_memory(divisor: int, *, lowest: int) -> int:
    """Return one ``divisor``-th of the machine's memory in MB, within bounds."""
    return max(lowest, min(_MOST_MB, psutil.virtual_memory().total // _MB // divisor))
