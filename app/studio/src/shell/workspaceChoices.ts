import type { WorkspaceRowFragment } from "../../generated/operations";

/**
 * Return the workspaces that can be chosen where `text` is typed: the first ones that the server lists whose name has it
 * in it or whose id it is, and whichever else the server found by it.
 */
export function workspaceChoices(
  listed: readonly WorkspaceRowFragment[],
  found: readonly WorkspaceRowFragment[],
  text: string,
): WorkspaceRowFragment[] {
  const sought = text.trim().toLowerCase();
  const fits = ({ id, name }: WorkspaceRowFragment) =>
    name.toLowerCase().includes(sought) || id === text.trim();
  const choices = [...listed.filter(fits), ...found];
  return [...new Map(choices.map((each) => [each.id, each])).values()];
}
