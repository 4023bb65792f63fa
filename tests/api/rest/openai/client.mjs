// What a program that knows OpenAI's client for JavaScript does; prints what it saw as JSON.
import OpenAI from "openai";

const [baseURL, apiKey] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const models = [];
for await (const model of client.models.list()) models.push(model.id);
const asked = { model: models[0], input: ["Bees fly in May", "Tea is green"] };
const embedded = await client.embeddings.create(asked);
const plain = await client.embeddings.create({ ...asked, encoding_format: "float" });
const refused = await client.embeddings.create({ ...asked, dimensions: 5 }).catch((error) => error);
console.log(
  JSON.stringify({
    models,
    retrieved: (await client.models.retrieve(models[0])).id,
    embedded: embedded.data.map((each) => Array.from(each.embedding)),
    plain: plain.data.map((each) => each.embedding),
    refused: [refused.constructor.name, refused.status, refused.param],
  }),
);
