import { isIP } from 'node:net';

/** Names that never lead to the public web (RFC 6761, RFC 6762, RFC 8375, and what networks use within). */
const PRIVATE_ENDINGS =
  /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|test|invalid|example|onion|home\.arpa)$/;

/**
 * Why an address is none of the public web; null where it is. Where its name leads is for whoever fetches it: only its
 * form is looked at. Numbers for hosts are refused in every notation, because the parser makes dotted ones of them.
 */
export function whyNotPublic(address: string): string | null {
  if (!URL.canParse(address)) return 'It is no address. Write one such as https://example.com/page.';
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'It must begin with http:// or https://.';
  if (url.username || url.password) return 'It must not contain a user name or a password.';
  const host = url.hostname.replace(/\.$/, '');
  if (isIP(host.replace(/^\[|\]$/g, ''))) return 'It must name a host, not the number of one.';
  if (!host.includes('.') || PRIVATE_ENDINGS.test(host)) return `${host} is not on the public web.`;
  return null;
}
