// Lists memories through Relay's runtime, deletes the first of them and one that is not there, and prints what its store lists.
import relay from "relay-runtime";

const { ConnectionHandler, Environment, Network, RecordSource, Store, commitMutation, createOperationDescriptor, fetchQuery } = relay;
const { RECOLLECT_API_URL, RECOLLECT_API_KEY, RECOLLECT_ARTEFACTS } = process.env;

async function ask({ text }, variables) {
  const response = await fetch(`${RECOLLECT_API_URL}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${RECOLLECT_API_KEY}` },
    body: JSON.stringify({ query: text, variables }),
  });
  return response.json();
}
const artefact = async (name) => (await import(`${RECOLLECT_ARTEFACTS}/${name}.graphql.js`)).default;

const environment = new Environment({ network: Network.create(ask), store: new Store(new RecordSource()) });
const query = await artefact("chatQuery");
const operation = createOperationDescriptor(query, { first: 5 });
environment.retain(operation);
await fetchQuery(environment, query, { first: 5 }).toPromise();
const listed = () => environment.lookup(operation.fragment).data.memories.edges.map(({ node }) => node);

const before = listed();
const [first, second] = environment
  .getStore()
  .getSource()
  .getRecordIDs()
  .filter((id) => environment.getStore().getSource().get(id)?.__typename === "Memory");
const mutation = await artefact("chatDeleteMutation");
const remove = (id) =>
  new Promise((resolve, reject) =>
    commitMutation(environment, {
      mutation,
      variables: { id },
      updater: (store, { deleteMemory }) => {
        if (deleteMemory) ConnectionHandler.deleteNode(ConnectionHandler.getConnection(store.getRoot(), "chat_memories"), id);
      },
      onCompleted: ({ deleteMemory }) => resolve(deleteMemory),
      onError: reject,
    }),
  );
const answers = [await remove(first), await remove("mem_none")];
const contentOf = (id) => environment.getStore().getSource().get(id)?.content;
console.log(
  JSON.stringify({
    before: before.map(({ content }) => content),
    after: listed().map(({ content }) => content),
    answers,
    kept: contentOf(second),
  }),
);
