/** The path of a gateway URL: the page may be served under another host than the base URL's. */
export function pathOf(address: string): string {
  return new URL(address).pathname;
}
