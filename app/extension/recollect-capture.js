/*
 * Recollect for any chat page: what is said is saved while it goes on (POST /v1/conversations/{id}/messages).
 *
 * Put this file into a user script, or into the content scripts of an extension, and call it once:
 *
 *   captureChat({
 *     url: "http://127.0.0.1:8000",       // where Recollect is
 *     key: "rk_...",                      // a key that may write
 *     platform: "ChatGPT",
 *     site: { conversation, user, assistant, busy },   // one entry of sites.json
 *   });
 *
 * The page's origin must be among RECOLLECT_ALLOWED_ORIGINS, unless `request` sends by other means, such as an
 * extension's background script: (address, options) => Promise<Response>, like fetch.
 *
 * A change is saved once the page has been quiet for 1.5 seconds, and after 5 seconds in any case. An answer that is still
 * being written is left out. When another chat is opened or the page is closed, what was shown last is saved at once.
 * "Save" saves at once, "Extract" has facts taken from the conversation as well. All that is shown is sent each time:
 * Recollect stores each message once.
 */
function captureChat({ url, key, platform, site, automatic = true, quietMs = 1500, latestMs = 5000, request = null }) {
  const MOST_MESSAGES = 1000; // of one request
  const MOST_KEPT_ALIVE = 60 * 1024; // bytes that a browser still sends for a page that is gone
  const NOTING_MS = 250;
  const LONE_SURROGATE = /\p{Cs}/gu; // a page may have cut a picture of two in half, which no body may hold
  const send = request || ((address, options) => fetch(address, options));
  const seen = new WeakMap(); // the text of an element, and in which chat it was shown with that first
  let noted = null; // the chat as it was shown last
  let sent = null; // what was saved last
  let changedAt = null; // when the first change came that is not saved yet
  let timer = null;
  let noting = null;
  let saving = Promise.resolve(); // one request at a time, in order

  function conversationId() {
    const found = location.pathname.match(new RegExp(site.conversation));
    return found && found[1];
  }

  // The address changes before the page does: what the chat before still shows is none of this one's.
  function isOf(id, element, content) {
    if (seen.get(element)?.content !== content) seen.set(element, { id, content });
    return seen.get(element).id === id;
  }

  function messages(id) {
    const said = [];
    for (const element of document.querySelectorAll(`${site.user}, ${site.assistant}`)) {
      const content = element.innerText.trim().replace(LONE_SURROGATE, "\ufffd");
      const role = element.matches(site.user) ? "user" : "assistant";
      if (content && isOf(id, element, content)) said.push({ role, content });
    }
    const isWriting = site.busy && document.querySelector(site.busy);
    if (isWriting && said.length && said[said.length - 1].role === "assistant") said.pop();
    return said.slice(-MOST_MESSAGES);
  }

  function note() {
    clearTimeout(noting);
    noting = null;
    const id = conversationId();
    const before = noted;
    const title = document.title.trim().slice(0, 512);
    noted = id && { id, messages: messages(id), platform, ...(title ? { title } : {}) };
    if (before && before.id !== id) inTurn(() => saveNow(before));
    return noted;
  }

  async function post(path, body, options = {}) {
    const response = await send(`${url}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body,
      ...options,
    });
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(answer.error || `Recollect answered with status ${response.status}`);
    return answer;
  }

  async function saveNow(chat, options) {
    if (!chat || !chat.messages.length) return null;
    const { id, ...said } = chat;
    const body = JSON.stringify(said);
    if (sent === `${id} ${body}`) return id;
    const answer = await post(`/v1/conversations/${encodeURIComponent(id)}/messages`, body, options);
    sent = `${id} ${body}`;
    const leftOut = answer.left_out?.length ? `, ${answer.left_out.length} not whole: ${answer.left_out[0].reason}` : "";
    tell(answer.skipped || `Saved, ${answer.added} new${leftOut}`);
    return id;
  }

  function inTurn(work) {
    saving = saving.then(work).catch((error) => tell(error.message));
    return saving;
  }

  function save() {
    clearTimeout(timer);
    changedAt = null;
    const chat = note();
    return inTurn(async () => {
      const before = sent;
      const id = await saveNow(chat);
      if (id === null) tell("There is nothing to save yet");
      else if (sent === before) tell("All is saved");
    });
  }

  function extract() {
    const chat = note();
    return inTurn(async () => {
      const id = await saveNow(chat);
      if (id === null) return tell("There is nothing to extract from yet");
      await post(`/v1/conversations/${encodeURIComponent(id)}/extract`, undefined);
      tell("Facts are being extracted");
    });
  }

  function changed() {
    const now = Date.now();
    noting = noting ?? setTimeout(note, NOTING_MS);
    changedAt = changedAt === null ? now : changedAt;
    clearTimeout(timer);
    timer = setTimeout(() => {
      changedAt = null;
      const chat = note();
      inTurn(() => saveNow(chat));
    }, Math.max(0, Math.min(quietMs, changedAt + latestMs - now)));
  }

  // At once: what waits for its turn is not sent any more.
  function left() {
    const chat = note();
    const isSmall = new Blob([JSON.stringify(chat)]).size < MOST_KEPT_ALIVE;
    saveNow(chat, isSmall ? { keepalive: true } : {}).catch(() => {});
  }

  // Within a shadow root: neither do the page's styles reach it, nor is what it says seen as a change of the page.
  const host = document.createElement("div");
  host.id = "recollect-capture";
  Object.assign(host.style, { position: "fixed", right: "16px", bottom: "16px", zIndex: "2147483647" });
  const panel = host.attachShadow({ mode: "open" });
  const status = document.createElement("span");
  status.setAttribute("role", "status");
  Object.assign(status.style, { font: "12px sans-serif", color: "#1B2A41", background: "#FFFFFF", padding: "4px 8px" });
  status.hidden = true;
  panel.append(status);
  for (const [label, act] of [["Save", save], ["Extract", extract]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.title = label === "Save" ? "Save this chat to Recollect" : "Have Recollect extract facts from this chat";
    Object.assign(button.style, { font: "12px sans-serif", margin: "0 0 0 4px", padding: "4px 8px", cursor: "pointer" });
    button.addEventListener("click", act);
    panel.append(button);
  }
  document.documentElement.append(host);

  function tell(text) {
    status.textContent = text;
    status.hidden = false;
  }

  if (automatic) {
    new MutationObserver(changed).observe(document.body, { childList: true, subtree: true, characterData: true });
    addEventListener("pagehide", left);
    changed();
  }
}
