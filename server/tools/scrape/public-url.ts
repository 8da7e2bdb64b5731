import { isIP } from 'node:net';

/** Host names that are never public (RFC 6761, RFC 6762, RFC 8375, and common internal domains). */
const PRIVATE_ENDINGS =
  /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|test|invalid|example|onion|home\.arpa)$/;

/**
 * Returns why an address is not on the public web; null if it is. Checks only its form, not where
 * the name resolves. The URL parser converts numeric hosts of any notation to IP addresses.
 */
export function whyNotPublic(address: string): string | null {
  if (!URL.canParse(address)) return 'This is not a valid URL. Use one like https://example.com/page.';
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return 'The URL must start with http:// or https://.';
  if (url.username || url.password) return 'The URL must not contain a user name or password.';
  const host = url.hostname.replace(/\.$/, '');
  if (isIP(host.replace(/^\[|\]$/g, ''))) return 'The URL must use a host name, not an IP address.';
  if (!host.includes('.') || PRIVATE_ENDINGS.test(host)) return `${host} is not on the public web.`;
  return null;
}
