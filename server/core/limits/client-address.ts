import { isIP } from 'node:net';

/** Longest IPv6 address in text, with an embedded IPv4 address. */
const MAX_CHARS = 45;
/** An address with a port or brackets, as some proxies write it. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([0-9A-Fa-f:.]+)\](?::\d+)?)$/;

/**
 * The client's address as it is stored with a call: an IPv4 address without its IPv6 prefix, and
 * without a port. Null if a proxy sent no address, such as `unknown`.
 */
export function toStoredAddress(ip: string): string | null {
  if (isIP(ip) === 0) {
    const [, v4, v6] = WITH_PORT.exec(ip) ?? [];
    const address = v4 ?? v6;
    return address === undefined || isIP(address) === 0 ? null : toStoredAddress(address);
  }
  const address = /^::ffff:.*\./i.test(ip) ? ip.slice(7) : ip;
  return address.length > MAX_CHARS ? null : address;
}
