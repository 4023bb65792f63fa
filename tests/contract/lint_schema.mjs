// Lints the SDL that RECOLLECT_SDL holds the path of with graphql-eslint's recommended rules, and prints what they find.
import { readFileSync } from "node:fs";
import graphql from "@graphql-eslint/eslint-plugin";
import { ESLint } from "eslint";

const sdl = readFileSync(process.env.RECOLLECT_SDL, "utf-8");
const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [
    {
      files: ["**/*.graphql"],
      languageOptions: { parser: graphql.parser, parserOptions: { graphQLConfig: { schema: process.env.RECOLLECT_SDL } } },
      plugins: { "@graphql-eslint": graphql },
      rules: graphql.configs["flat/schema-recommended"].rules,
    },
  ],
});
const [{ messages }] = await eslint.lintText(sdl, { filePath: "schema.graphql" });
console.log(JSON.stringify(messages.map(({ ruleId, message }) => [ruleId, message])));
