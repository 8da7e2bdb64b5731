/** The path of a gateway URL: the page may be served under another host than the base URL's. */
export function toPath(address: string): string {
  return new URL(address).pathname;
}
