// Makes src/operations.ts, a typed document for each of ../operations, from the SDL with GraphQL Code Generator.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { codegen } from "@graphql-codegen/core";
import * as typedDocuments from "@graphql-codegen/typed-document-node";
import * as typescript from "@graphql-codegen/typescript";
import * as operations from "@graphql-codegen/typescript-operations";
import { Kind, parse, visit } from "graphql";

const here = new URL("./", import.meta.url);
const folder = new URL("../operations/", here);
const read = async (url) => parse(await readFile(url, "utf8"));
// What is null only beside an error is never seen: `Recollect` throws then.
const asThrown = (sdl) =>
  visit(sdl, {
    FieldDefinition: (field) =>
      field.directives.some(({ name }) => name.value === "semanticNonNull")
        ? { ...field, type: { kind: Kind.NON_NULL_TYPE, type: field.type } }
        : undefined,
  });
const documents = (await readdir(folder)).sort().map(async (name) => ({
  location: name,
  document: await read(new URL(name, folder)),
}));

const code = await codegen({
  filename: "operations.ts",
  schema: asThrown(await read(new URL("../../surfaces/graphql/schema.graphql", here))),
  documents: await Promise.all(documents),
  plugins: [{ typescript: {} }, { operations: {} }, { typedDocuments: {} }],
  pluginMap: { typescript, operations, typedDocuments },
  config: {
    documentMode: "string",
    enumsAsTypes: true,
    onlyOperationTypes: true,
    strictScalars: true,
    useTypeImports: true,
    scalars: { DateTime: "string", Date: "string", JSON: "unknown" },
  },
});
await writeFile(new URL("src/operations.ts", here), code);
