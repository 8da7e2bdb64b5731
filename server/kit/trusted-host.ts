/**
 * Whether a request was addressed to a host name of this gateway. With DNS rebinding, any web page
 * can reach the gateway under a foreign name; it must not read what only this machine may see.
 * @param host the Host header
 */
export function isTrustedHost(host: string | null, baseUrl: string): boolean {
  if (!host || !URL.canParse(`http://${host}`)) return true;
  const { hostname } = new URL(`http://${host}`);
  const own = ['localhost', '[::1]', new URL(baseUrl).hostname];
  return own.includes(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
