/*
 * Recollect for any chat page: before a message is sent, what is remembered of it is put behind it (POST /v1/inject).
 *
 * Put this file into a user script, or into the content scripts of an extension, and call it once:
 *
 *   interceptSending({
 *     url: "http://127.0.0.1:8000",       // where Recollect is
 *     key: "rk_...",                      // a key that may read
 *     input: "#prompt-textarea",          // the element people type into
 *     button: "[data-testid=send]",       // the button that sends; leave it out where there is none
 *   });
 *
 * The page's origin must be among RECOLLECT_ALLOWED_ORIGINS, unless `request` sends by other means, such as an
 * extension's background script: (address, options) => Promise<Response>, like fetch.
 *
 * Enter in the input and a click on the button are caught before the page sees them, the message is completed, and the
 * same is done again by the page itself. Whatever goes wrong, and after two seconds in any case, it is sent as typed.
 */
function interceptSending({ url, key, input, button = null, conversationId = null, patienceMs = 2000, request = null }) {
  const send = request || ((address, options) => fetch(address, options));
  let letsThrough = false; // while the page is given the event again
  let isBusy = false; // while a message is being completed

  const isField = (element) => element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement;
  const textOf = (element) => (isField(element) ? element.value : element.innerText);

  function write(element, text) {
    element.focus();
    if (isField(element)) {
      // Frameworks replace `value` on the element itself; the prototype's setter is what a keyboard would use.
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
      await new Promise((resolve) => setTimeout(resolve)); // the page takes note of the new text
      sendAgain(element);
    } finally {
      isBusy = false;
    }
  }

  window.addEventListener(
    "keydown",
    (event) => {
      const element = event.target instanceof Element && event.target.closest(input);
      const sends = event.key === "Enter" && !event.shiftKey && !event.isComposing; // not while a word is being composed
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
