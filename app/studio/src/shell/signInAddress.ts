interface Place {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

/**
 * Return the address of the page to sign in on, which leads back to where one was.
 *
 * What stands behind the `#` goes along: no server sees it, and browsers keep it when the page leads back.
 */
export function signInAddress({ pathname, search, hash }: Place): string {
  return `/sign-in?next=${encodeURIComponent(pathname + search)}${hash}`;
}
