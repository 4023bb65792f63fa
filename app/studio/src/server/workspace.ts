import { useSearchParams } from "react-router";

/** The parameter of every address that names a workspace other than that of the key. */
export const WORKSPACE = "workspace";

/** Return the workspace that the address names; undefined: that of the key. */
export function useWorkspaceId(): string | undefined {
  const [search] = useSearchParams();
  return search.get(WORKSPACE) ?? undefined;
}

/** Return the address of a page; in the workspace of the key where none is named. */
export function addressOf(path: string, search: Record<string, string>, workspaceId?: string): string {
  const parameters = new URLSearchParams({
    ...search,
    ...(workspaceId && { [WORKSPACE]: workspaceId }),
  }).toString();
  return parameters === "" ? path : `${path}?${parameters}`;
}

/** Return what makes addresses of other pages that stay in the workspace shown. */
export function useLinks(): (path: string, search?: Record<string, string>) => string {
  const workspaceId = useWorkspaceId();
  return (path, search = {}) => addressOf(path, search, workspaceId);
}
