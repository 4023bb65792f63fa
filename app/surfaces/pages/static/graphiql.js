// GraphiQL over this service. Tabs, and the key that is typed in, are kept until the browser's tab is closed.
"use strict";

const KEY = "recollect:key";
const QUERY = "graphiql:query"; // where GraphiQL keeps what the open tab holds
const examples = JSON.parse(document.getElementById("examples").textContent);
const form = document.getElementById("key-form");
const address = new URL(window.location.pathname, window.location.href);
const socket = new URL(address);
socket.protocol = address.protocol === "https:" ? "wss:" : "ws:";

function credentials() {
  const key = form && sessionStorage.getItem(KEY);
  return key ? { Authorization: `Bearer ${key}` } : {};
}

// GraphiQL may still have the name of the operation in the tab before, which a tab just opened does not hold.
function isNamed(query, operation) {
  return [...query.matchAll(/\b(?:query|mutation|subscription)\s+(\w+)/g)].some(([, name]) => name === operation);
}

function show(root) {
  const headers = credentials();
  const send = window.GraphiQL.createFetcher({
    url: address.href,
    headers,
    subscriptionUrl: socket.href,
    wsConnectionParams: headers,
  });
  const fetcher = ({ operationName, ...request }, options) =>
    send(isNamed(request.query, operationName) ? { ...request, operationName } : request, options);
  root.render(
    window.React.createElement(window.GraphiQL, {
      key: headers.Authorization || "nobody", // another key reads the schema again
      fetcher,
      storage: sessionStorage,
      defaultTabs: examples.map((query) => ({ query })),
      defaultEditorToolsVisibility: "variables",
      inputValueDeprecation: true,
      isHeadersEditorEnabled: true,
      shouldPersistHeaders: true,
    }),
  );
}

if (window.GraphiQL) {
  // With tabs in its storage but no query GraphiQL opens another, empty tab: each time a key was typed.
  if (sessionStorage.getItem(QUERY) === null) {
    sessionStorage.setItem(QUERY, examples[0]);
  }
  const root = window.ReactDOM.createRoot(document.getElementById("graphiql"));
  if (form) {
    const field = document.getElementById("key");
    field.value = sessionStorage.getItem(KEY) || "";
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      sessionStorage.setItem(KEY, field.value.trim());
      show(root);
    });
  }
  show(root);
}
