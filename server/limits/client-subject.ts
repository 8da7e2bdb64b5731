import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';

/** The part of an address that one client controls: an IPv4 address, the /64 of an IPv6 one. */
export function clientNetwork(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = (ip.split('%')[0] ?? ip).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, gap)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** How a client address stands in the database: a keyed hash, so that a dump tells nobody who came. */
export function clientSubject(secret: string, ip: string): string {
  return createHmac('sha256', secret)
    .update(`client:${clientNetwork(ip)}`)
    .digest('base64url')
    .slice(0, 32);
}
