/* Keeps where Recollect is, the key, and what is done on chat pages; both stay on this machine. */
const field = (id) => document.getElementById(id);

(async () => {
  const chosen = await chrome.storage.local.get(["url", "key", "saves", "injects"]);
  field("url").value = chosen.url || "http://127.0.0.1:8000";
  field("key").value = chosen.key || "";
  field("saves").checked = chosen.saves !== false;
  field("injects").checked = chosen.injects === true;
})();

document.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { origin, pathname } = new URL(field("url").value);
  const isAllowed = await chrome.permissions.request({ origins: [`${origin.replace(/:\d+$/, "")}/*`] });
  await chrome.storage.local.set({
    url: `${origin}${pathname}`.replace(/\/+$/, ""),
    key: field("key").value.trim(),
    saves: field("saves").checked,
    injects: field("injects").checked,
  });
  document.querySelector("output").textContent = isAllowed ? "Kept. Reload open chats." : "The browser may not reach that address.";
});
