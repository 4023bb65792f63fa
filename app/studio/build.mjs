// Builds the Studio into the folder that is named (dist), with each asset gzipped beside it, and prints what a page loads.
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { constants, gzipSync } from "node:zlib";
import { build } from "vite";
import { generate } from "./generate.mjs";

const MOST_INITIAL_KB = 350;
const folder = process.argv[2] ?? "dist";

await generate();
await build({ build: { outDir: folder, emptyOutDir: true } });

const sizes = new Map();
for (const name of await readdir(join(folder, "assets"))) {
  const file = join(folder, "assets", name);
  const packed = gzipSync(await readFile(file), { level: constants.Z_BEST_COMPRESSION });
  await writeFile(`${file}.gz`, packed);
  sizes.set(`assets/${name}`, packed.length);
}

const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
await rm(join(folder, "manifest.json"));

/** All files that come with one, without what is loaded when it is opened. */
function filesOf(key, found = new Set()) {
  const { file, css = [], imports = [] } = manifest[key];
  for (const name of [file, ...css]) found.add(name);
  for (const other of imports) if (!found.has(manifest[other].file)) filesOf(other, found);
  return found;
}

const inKb = (files) => [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0) / 1024;
const initial = filesOf("index.html");
console.log(`initial: ${inKb(initial).toFixed(1)} kB gzipped (at most ${MOST_INITIAL_KB})`);
for (const key of Object.keys(manifest)
  .filter((name) => manifest[name].isDynamicEntry)
  .sort()) {
  const later = [...filesOf(key)].filter((file) => !initial.has(file));
  console.log(`  ${key}: ${inKb(later).toFixed(1)} kB more when it is opened`);
}
if (inKb(initial) > MOST_INITIAL_KB) throw new Error("what the first page loads is too large");
