/**
 * Whether a request was sent to a name of this gateway. A name that somebody made to lead here (DNS rebinding) reaches it
 * from any page in a browser on this machine, and must not read what only this machine may see.
 * @param host the Host header
 */
export function isOwnHost(host: string | null, baseUrl: string): boolean {
  if (!host || !URL.canParse(`http://${host}`)) return true;
  const { hostname } = new URL(`http://${host}`);
  const own = ['localhost', '[::1]', new URL(baseUrl).hostname];
  return own.includes(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
