// Makes generated/operations.ts, a typed document for every .graphql file of src, from the SDL.
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { codegen } from "@graphql-codegen/core";
import * as typedDocuments from "@graphql-codegen/typed-document-node";
import * as typescript from "@graphql-codegen/typescript";
import * as operations from "@graphql-codegen/typescript-operations";
import { Kind, parse, visit } from "graphql";

// What is null only beside an error is never seen: `withoutNulls` of src/server leaves such an answer out.
const asSeen = (sdl) =>
  visit(sdl, {
    FieldDefinition: (field) =>
      field.directives.some(({ name }) => name.value === "semanticNonNull")
        ? { ...field, type: { kind: Kind.NON_NULL_TYPE, type: field.type } }
        : undefined,
  });

export async function generate() {
  const here = new URL("./", import.meta.url);
  const read = async (url) => parse(await readFile(url, "utf8"));
  const source = new URL("src/", here);
  const files = (await readdir(source, { recursive: true })).filter((name) => name.endsWith(".graphql"));
  const documents = files
    .sort()
    .map(async (name) => ({ location: name, document: await read(new URL(name, source)) }));
  const code = await codegen({
    filename: "operations.ts",
    schema: asSeen(await read(new URL("../surfaces/graphql/schema.graphql", here))),
    documents: await Promise.all(documents),
    plugins: [{ typescript: {} }, { operations: {} }, { typedDocuments: {} }],
    pluginMap: { typescript, operations, typedDocuments },
    config: {
      enumsAsTypes: true,
      onlyOperationTypes: true,
      strictScalars: true,
      useTypeImports: true,
      immutableTypes: true,
      skipTypename: true,
      scalars: { DateTime: "string", Date: "string", JSON: "unknown" },
    },
  });
  await mkdir(new URL("generated/", here), { recursive: true });
  await writeFile(new URL("generated/operations.ts", here), code);
}

if (process.argv[1] === import.meta.filename) await generate();
