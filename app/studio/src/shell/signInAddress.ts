interface Place {
  readonly pathname: string;
  readonly search: string;
}

/** Return the address of the page to sign in on, which leads back to where one was. */
export function signInAddress({ pathname, search }: Place): string {
  return `/sign-in?next=${encodeURIComponent(pathname + search)}`;
}
