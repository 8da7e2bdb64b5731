/** A host that an operator named; without a port it means the web ports. */
export interface AllowedHost {
  /** As it is written in a URL: lower case, IPv6 in brackets, no trailing dot. */
  readonly host: string;
  readonly port: number | null;
}

/** Reads `host`, `host:port`, `[::1]:port`; null where it is none of these. */
export function readAllowedHost(text: string): AllowedHost | null {
  if (!/^[^\s/@?#\\]+$/.test(text) || !URL.canParse(`ws://${text}`)) return null;
  const url = new URL(`ws://${text}`);
  const port = /:(\d{1,5})$/.exec(text)?.[1];
  return { host: hostOf(url), port: port === undefined ? null : Number(port) };
}

/** The host and port of an address, to be allowed as they are. */
export function allowedOrigin(address: string): AllowedHost {
  const url = new URL(address);
  return { host: hostOf(url), port: portOf(url) };
}

export function hostOf(url: URL): string {
  return normalized(url.hostname);
}

export function portOf(url: URL): number {
  return url.port === ''
    ? url.protocol === 'https:' || url.protocol === 'wss:'
      ? 443
      : 80
    : Number(url.port);
}

/** A name with its root's dot is the same name. */
export function normalized(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}
