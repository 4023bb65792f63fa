/** Offer a text to whoever uses this page as a file of theirs. */
export function offerFile(name: string, content: string, mediaType = "application/json"): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: mediaType }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
