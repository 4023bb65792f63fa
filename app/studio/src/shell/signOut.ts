import { forgetDrafts } from "../memories/drafts";

/** Send the form that ends the session; nothing of this page stays in the tab for whoever comes next. */
export function signOut(form: HTMLFormElement): void {
  // as the page goes, after whatever else keeps what was typed then
  window.addEventListener("pagehide", () => forgetDrafts(sessionStorage), { once: true });
  // a browser may show the page as it was when somebody goes back to it
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  form.submit();
}
