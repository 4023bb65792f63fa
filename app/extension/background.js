/*
 * Sends what the content scripts ask for, with the key, to the address in the options and to nothing else. The key stays
 * here and on the page of the options: content scripts run in the processes of the pages that they are put into.
 */
const ROUTES = [/^\/v1\/inject$/, /^\/v1\/conversations\/[^/]+\/(messages|extract)$/];
const AWAY = { status: 503, body: '{"error": "Recollect does not answer"}' };

chrome.storage.local.setAccessLevel({ accessLevel: "TRUSTED_CONTEXTS" });

async function choices() {
  const { key, saves, injects } = await chrome.storage.local.get(["key", "saves", "injects"]);
  return { isSetUp: Boolean(key), saves: saves !== false, injects: injects === true };
}

async function forwarded({ path, body }) {
  const { url, key } = await chrome.storage.local.get(["url", "key"]);
  if (!url || !key || !ROUTES.some((route) => route.test(path))) return AWAY;
  try {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body,
    });
    return { status: response.status, body: await response.text() };
  } catch {
    return AWAY;
  }
}

chrome.runtime.onMessage.addListener((asked, _sender, answer) => {
  (asked.path ? forwarded(asked) : choices()).then(answer);
  return true; // the answer comes later
});
chrome.runtime.onInstalled.addListener(() => chrome.runtime.openOptionsPage());
