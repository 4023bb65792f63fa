/* Runs on the pages of sites.json: saves what is said there, and puts what is remembered behind what is sent. */
(async () => {
  const found = Object.entries(RECOLLECT_SITES).find(([, site]) => site.hosts.includes(location.hostname));
  if (!found) return;
  const chosen = await chrome.runtime.sendMessage({});
  if (!chosen.isSetUp) return;
  const [platform, site] = found;

  // The key stays with the background script: a page can make its content scripts do much, but not tell it.
  async function request(path, { body }) {
    const answer = await chrome.runtime.sendMessage({ path, body });
    return new Response(answer.body, { status: answer.status });
  }

  captureChat({ url: "", platform, site, automatic: chosen.saves, request });
  if (chosen.injects) interceptSending({ url: "", input: site.input, button: site.button, request });
})();
