/** A host that an operator allowed; without a port it means the web ports. */
export interface AllowedHost {
  /** As written in a URL: lower case, IPv6 in brackets, no trailing dot. */
  readonly host: string;
  readonly port: number | null;
}

/** Parses `host`, `host:port` or `[::1]:port`; null if it is none of these. */
export function parseAllowedHost(text: string): AllowedHost | null {
  if (!/^[^\s/@?#\\]+$/.test(text) || !URL.canParse(`ws://${text}`)) return null;
  const url = new URL(`ws://${text}`);
  const port = /:(\d{1,5})$/.exec(text)?.[1];
  return { host: getHost(url), port: port === undefined ? null : Number(port) };
}

/** Allows exactly the host and port of a URL. */
export function toAllowedHost(address: string): AllowedHost {
  const url = new URL(address);
  return { host: getHost(url), port: getPort(url) };
}

export function getHost(url: URL): string {
  return normalizeHost(url.hostname);
}

export function getPort(url: URL): number {
  return url.port === ''
    ? url.protocol === 'https:' || url.protocol === 'wss:'
      ? 443
      : 80
    : Number(url.port);
}

/** Removes the trailing dot of the DNS root, which names the same host. */
export function normalizeHost(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}
