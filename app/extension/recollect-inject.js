/*
 * Recollect for any chat page: appends relevant memories to each message before the page sends it (POST /v1/inject).
 *
 * Include this file in a user script, or in the content scripts of an extension, and call it once:
 *
 *   interceptSending({
 *     url: "http://127.0.0.1:8000",       // URL of Recollect
 *     key: "rk_...",                      // a key that may read
 *     input: "#prompt-textarea",          // the text field of the chat
 *     button: "[data-testid=send]",       // the send button; omit it if there is none
 *   });
 *
 * RECOLLECT_ALLOWED_ORIGINS must contain the page's origin, unless `request` sends requests in another way, for example
 * through an extension's background script: (url, options) => Promise<Response>, like fetch.
 *
 * The script catches Enter in the input and a click on the button, adds memory to the message, and repeats the event for
 * the page. On any error, and after two seconds at most, the page sends the message as typed.
 */
function interceptSending({ url, key, input, button = null, conversationId = null, patienceMs = 2000, request = null }) {
  const send = request || ((address, options) => fetch(address, options));
  let letsThrough = false; // while the page receives the repeated event
  let isBusy = false; // while a request for memory is pending

  const isField = (element) => element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement;
  const textOf = (element) => (isField(element) ? element.value : element.innerText);

  function write(element, text) {
    element.focus();
    if (isField(element)) {
      // Frameworks override `value` on the element; the prototype's setter acts like typing.
      const prototype = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
      Object.getOwnPropertyDescriptor(prototype.prototype, "value").set.call(element, text);
      element.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
    } else {
      document.execCommand("selectAll");
      document.execCommand("insertText", false, text);
    }
  }

  async function completed(text) {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), patienceMs);
    const late = new Promise((resolve) => patience.signal.addEventListener("abort", () => resolve(text)));
    const asked = { text, ...(conversationId ? { conversation_id: conversationId } : {}) };
    const answer = (async () => {
      const response = await send(`${url}/v1/inject`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify(asked),
        signal: patience.signal,
      });
      const said = response.ok ? await response.json() : {};
      return typeof said.text === "string" ? said.text : text;
    })().catch(() => text);
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  function sendAgain(element) {
    const sender = button && document.querySelector(button);
    letsThrough = true;
    try {
      if (sender && !sender.disabled) sender.click();
      else element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", keyCode: 13, bubbles: true, cancelable: true }));
    } finally {
      letsThrough = false;
    }
  }

  async function intercept(event, element) {
    const text = textOf(element);
    if (letsThrough || !text.trim() || text.includes("[MemoryX Context")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isBusy) return;
    isBusy = true;
    try {
      const whole = await completed(text);
      if (whole !== text && textOf(element) === text) write(element, whole);
      await new Promise((resolve) => setTimeout(resolve)); // lets the page process the new text
      sendAgain(element);
    } finally {
      isBusy = false;
    }
  }

  window.addEventListener(
    "keydown",
    (event) => {
      const element = event.target instanceof Element && event.target.closest(input);
      const sends = event.key === "Enter" && !event.shiftKey && !event.isComposing; // not during input method composition
      if (element && sends) intercept(event, element);
    },
    true,
  );
  window.addEventListener(
    "click",
    (event) => {
      const isButton = button && event.target instanceof Element && event.target.closest(button);
      const element = document.querySelector(input);
      if (isButton && element) intercept(event, element);
    },
    true,
  );
}
