import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';

/** The part of an address that one client controls: an IPv4 address, the /64 of an IPv6 address. */
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

/** A client address as stored: a keyed hash, so that a database dump does not reveal addresses. */
export function clientSubject(secret: string, ip: string): string {
  return subject(secret, `client:${clientNetwork(ip)}`);
}

/** The same for the client's network: the /24 of an IPv4 address, the /64 of an IPv6 address. */
export function networkSubject(secret: string, ip: string): string {
  return subject(secret, `network:${clientNetwork(ip).replace(/\.\d+$/, '.0/24')}`);
}

/** The same for the inbox of an email address: ignores a plus suffix, and dots at Gmail. */
export function emailSubject(secret: string, email: string): string {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@');
  const name = local.replace(/(?<=.)\+.*/, '');
  const inbox = /^(gmail|googlemail)\.com$/.test(domain)
    ? `${name.replaceAll('.', '')}@gmail.com`
    : `${name}@${domain}`;
  return subject(secret, `email:${inbox}`);
}

function subject(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url').slice(0, 32);
}
