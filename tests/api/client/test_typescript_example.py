"""The TypeScript client: typed from the SDL, compiled, run, and installed from npm."""

import asyncio
import json
import os
import tomllib
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from graph.tenancy.models import Scope

FOLDER = Path(__file__).parents[3] / "app" / "client" / "typescript"


REACT_PAGE = (Path(__file__).parent / "react_page.ts").read_text()
BROKEN_NETWORK = (Path(__file__).parent / "broken_network.ts").read_text()
REACT = ["react@19.3.1", "react-dom@19.3.1", "@types/react@19.3.0", "@types/react-dom@19", "happy-dom@21.0.4"]
CONSUMER = """
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  MeDocument, MemoryEventsDocument, RecallDocument, Recollect, RecollectError, RotateApiKeyDocument,
  SaveMemoryDocument,
} from "@recollect/client";

const { RECOLLECT_API_URL, RECOLLECT_API_KEY } = process.env as Record<string, string>;
const recollect = new Recollect(RECOLLECT_API_URL!, RECOLLECT_API_KEY!);
await recollect.execute(SaveMemoryDocument, { input: { content: "We indent with tabs" }, waitFor: "EMBEDDED" });
const { recall } = await recollect.execute(RecallDocument, { input: { query: "indentation style", limit: 3 } });
for (const hit of recall.hits) console.log(hit.score > 0, hit.memory.content);
try {
  await recollect.execute(SaveMemoryDocument, { input: { content: "Tabs", importance: 2 } });
} catch (error) {
  console.log(error instanceof RecollectError && error.code, (error as RecollectError).field);
}
const events = recollect.subscribe(MemoryEventsDocument, {});
const event = events.next();
let saved = 0;
const saving = setInterval(
  () => recollect.execute(SaveMemoryDocument, { input: { content: `Release ${(saved += 1)} is out` } }),
  200,
);
console.log((await event).value?.memoryEvents.memory?.content.startsWith("Release"));
clearInterval(saving);
await events.return();
try {
  await new Recollect(RECOLLECT_API_URL!, "rk_wrong").subscribe(MemoryEventsDocument, {}).next();
} catch (error) {
  console.log(error instanceof RecollectError && error.code);
}
let asked = 0;
const restarting = createServer((_, response) => {
  asked += 1;
  const failed = { message: "neo4j is away", path: ["b"], extensions: { code: "UNAVAILABLE" } };
  const answer = { data: { me: { workspaceId: "w" }, b: null }, errors: asked === 2 ? [] : [failed] };
  if (asked === 1) response.writeHead(503).end("starting");
  else response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
});
await new Promise<void>((resolve) => restarting.listen(0, "127.0.0.1", resolve));
const { port } = restarting.address() as AddressInfo;
const patient = new Recollect(`http://127.0.0.1:${port}`, "rk");
console.log((await patient.execute(MeDocument, {})).me.workspaceId, asked);
try {
  await patient.execute(MeDocument, {});
} catch (error) {
  console.log(error instanceof RecollectError && error.code, asked);
}
restarting.close();
const paths: (string | undefined)[] = [];
const below = createServer((request) => {
  paths.push(request.url);
  request.socket.destroy();
});
below.on("upgrade", (request, socket) => {
  paths.push(request.url);
  socket.destroy();
});
await new Promise<void>((resolve) => below.listen(0, "127.0.0.1", resolve));
const behindOthers = new Recollect(`http://127.0.0.1:${(below.address() as AddressInfo).port}/recollect/`, "rk");
for (const asking of [
  () => behindOthers.execute(RotateApiKeyDocument, { id: "key_1" }),
  () => behindOthers.subscribe(MemoryEventsDocument, {}).next(),
]) {
  try {
    await asking();
  } catch (error) {
    console.log(error instanceof RecollectError && error.code, paths.splice(0).join(" "));
  }
}
below.close();
// @ts-expect-error - a memory has a content
await recollect.execute(SaveMemoryDocument, { input: { type: "DECISION" } });
"""


async def run(*command: str, folder: Path = FOLDER, **environment: str) -> str:
    """Run a command in a folder, by default the client's, and return its output."""
    inherited = dict(os.environ)  # noqa: TID251 - a child's environment is made here, no setting is read
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, env={**inherited, **environment}, stdout=PIPE, stderr=STDOUT
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    return output.decode()


@pytest.fixture(scope="module")
async def built() -> Path:
    """Generate the example from the SDL and compile it; `make test` has fetched the compilers."""
    await run("npm", "run", "--silent", "build")
    return FOLDER / "build" / "example.js"


@pytest.mark.usefixtures("patient_waits")
async def test_the_typescript_example_saves_recalls_and_prints_the_context(
    built, api_url, services, workspace_id
) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    _, key = await services.tenancy.keys.create(
        workspace_id, name="typescript", scopes=[Scope.READ, Scope.WRITE]
    )

    first = await run("node", str(built), RECOLLECT_API_URL=api_url, RECOLLECT_API_KEY=key)
    saved, recalled, *context = first.splitlines()

    assert saved.split()[0] == "CREATED"
    assert saved.split()[1] in {"EMBEDDED", "LINKED"}
    assert recalled.split(maxsplit=1)[1] == "We indent with tabs, because everybody may then choose a width"
    assert "We indent with tabs" in "\n".join(context)


async def test_a_refusal_keeps_its_code(built, api_url) -> None:
    with pytest.raises(AssertionError, match="UNAUTHENTICATED"):
        await run("node", str(built), RECOLLECT_API_URL=api_url, RECOLLECT_API_KEY="rk_wrong")


async def installed(folder: Path, *others: str) -> list[str]:
    """Install the tarball and other packages in an empty folder; return the tarball's files."""
    packed = await run("npm", "pack", "--json", "--ignore-scripts", "--pack-destination", str(folder))
    (tarball,) = json.loads(packed)
    (folder / "package.json").write_text('{"type": "module", "private": true}')
    await run(
        "npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", f"./{tarball['filename']}",
        *others, folder=folder,
    )  # fmt: skip
    return sorted(file["path"] for file in tarball["files"])


async def compiled(folder: Path, program: str) -> None:
    """Compile a program in the folder with the strictest settings."""
    await run(
        str(FOLDER / "node_modules" / ".bin" / "tsc"), "--strict", "--module", "nodenext", "--target", "es2022",
        "--skipLibCheck", "--typeRoots", str(FOLDER / "node_modules" / "@types"), "--types", "node", program,
        folder=folder,
    )  # fmt: skip


@pytest.mark.usefixtures("patient_waits")
async def test_its_package_is_installed_from_its_tarball(
    built, api_url, services, workspace_id, tmp_path
) -> None:
    """Issue 16: `@recollect/client` with its types, in an otherwise empty folder."""
    _, key = await services.tenancy.keys.create(workspace_id, name="npm", scopes=[Scope.READ, Scope.WRITE])
    (tmp_path / "consumer.ts").write_text(CONSUMER.replace("// @ts", "if (false)\n  // @ts"))

    files = await installed(tmp_path)
    await compiled(tmp_path, "consumer.ts")
    shown = await run(
        "node", "--experimental-websocket", "--no-warnings", "consumer.js", folder=tmp_path,
        RECOLLECT_API_URL=api_url, RECOLLECT_API_KEY=key,
    )  # fmt: skip

    modules = ("index", "operations", "react", "recollect", "repeating", "subscriptions")
    assert files == [
        "README.md",
        *(f"build/{name}.{kind}" for name in modules for kind in ("d.ts", "js")),
        "package.json",
    ]
    assert not (tmp_path / "node_modules" / "react").exists()
    assert shown.splitlines() == [
        "true We indent with tabs",
        "INVALID_INPUT importance",
        "true",
        "UNAUTHENTICATED",
        "w 2",
        "UNAVAILABLE 3",
        "UNAVAILABLE /recollect/graphql",
        "UNAVAILABLE /recollect/graphql",
    ]


async def test_an_error_of_the_transport_has_its_own_type(
    built, api_url, services, workspace_id, tmp_path
) -> None:
    """M10: for a partial response and for a gateway's page; a dead connection ends the loop."""
    _, key = await services.tenancy.keys.create(workspace_id, name="npm", scopes=[Scope.READ])
    (tmp_path / "network.ts").write_text(BROKEN_NETWORK)

    await installed(tmp_path)
    await compiled(tmp_path, "network.ts")
    shown = await run(
        "node", "--experimental-websocket", "--no-warnings", "network.js", folder=tmp_path,
        RECOLLECT_API_URL=api_url, RECOLLECT_API_KEY=key,
    )  # fmt: skip

    assert [json.loads(line) for line in shown.splitlines()] == [
        ["recall", {"recall": {"hits": []}}, 2],
        ["createApiKey", "UNAVAILABLE", 3],
        ["saveMemory", "UNAVAILABLE", 4],
        ["saveMemory", "UNAVAILABLE", 8],
        ["compactMemories", "UNAVAILABLE", 2],
        [401, "UNAUTHENTICATED"],
        [403, "FORBIDDEN"],
        [429, "RATE_LIMITED"],
        [418, "UNEXPECTED"],
        [418, "OF_ITS_OWN"],
        ["alive", False],
        ["dead", "UNAVAILABLE"],
    ]


async def test_react_hooks_follow_the_writes_of_a_page(
    built, api_url, services, workspace_id, tmp_path
) -> None:
    """Issue 16, point 12: the hooks from the tarball, beside React, in a strict mode that renders twice."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    _, key = await services.tenancy.keys.create(workspace_id, name="react", scopes=[Scope.READ, Scope.WRITE])
    (tmp_path / "page.ts").write_text(REACT_PAGE)

    await installed(tmp_path, *REACT)
    await compiled(tmp_path, "page.ts")
    shown = await run("node", "page.js", folder=tmp_path, RECOLLECT_API_URL=api_url, RECOLLECT_API_KEY=key)

    assert [json.loads(line) for line in shown.splitlines()] == [
        ["empty", [], 0, None, []],
        ["idle", False, None, True],
        ["workspace", True],
        ["saved", ["We indent with tabs"], "CREATED"],
        ["page", 2, True],
        ["more", False],
        ["asking", True, None],
        ["recalled", "We indent with tabs"],
        ["asking", True, None],
        ["recalled", "Bees swarm in June"],
        ["said", ["yes", "yes"], "talk", []],
        ["refused", None, "INVALID_INPUT", False],
        ["alone", "put a RecollectProvider around what uses Recollect's hooks"],
    ]


def test_its_version_is_that_of_the_server() -> None:
    server = tomllib.loads((FOLDER.parents[2] / "pyproject.toml").read_text())["project"]

    assert json.loads((FOLDER / "package.json").read_text())["version"] == server["version"]


def test_the_lock_has_checksums_and_no_addresses_of_a_registry() -> None:
    lock = (FOLDER / "package-lock.json").read_text()

    assert lock.count('"integrity": "sha512-') > 20
    assert '"resolved"' not in lock
