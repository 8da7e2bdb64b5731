/** An address of ours on this host: the page may have been reached by another name than the gateway's own. */
export function pathOf(address: string): string {
  return new URL(address).pathname;
}
