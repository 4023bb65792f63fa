/** Raised when the browser does not let this page copy. */
export class NotCopied extends Error {}

/** Copy a text as pages did before there was a clipboard to write to; it is missing over plain http. */
function copyByCommand(text: string): void {
  const field = document.createElement("textarea");
  const focused = document.activeElement;
  field.value = text;
  field.readOnly = true;
  field.style.position = "fixed"; // nothing scrolls to it
  field.style.opacity = "0";
  (focused?.closest("[role=dialog]") ?? document.body).append(field); // a dialog keeps the focus within it
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- there is nothing else over plain http
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new NotCopied();
}

/**
 * Put a text on the clipboard, which may still be on its way: Safari lets a page write only while it answers a click.
 *
 * @throws NotCopied - The browser refuses; or what a text on its way is rejected with.
 */
export async function copyText(text: string | Promise<string>): Promise<void> {
  const clipboard = (navigator as Partial<Navigator>).clipboard;
  if (clipboard === undefined) {
    copyByCommand(await text);
    return;
  }
  const blob = Promise.resolve(text).then((each) => new Blob([each], { type: "text/plain" }));
  try {
    // Firefox had no items of the clipboard before 127.
    if (typeof text === "string" || !("ClipboardItem" in globalThis)) await clipboard.writeText(await text);
    else await clipboard.write([new ClipboardItem({ "text/plain": blob })]);
  } catch {
    await blob; // the reason, where there was no text
    throw new NotCopied();
  }
}
