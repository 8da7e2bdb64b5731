import { describe, expect, it } from 'vitest';
import { startHarness } from '@/test/support/harness';
import { clientIp } from './request-context';

/** Headers in which proxies, or clients that pretend to be one, name the client. */
const FORWARDING = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'true-client-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-forwarded',
  'forwarded-for',
  'x-remote-ip',
  'x-remote-addr',
  'x-originating-ip',
  'fastly-client-ip',
  'x-appengine-user-ip',
  'x-envoy-external-address',
  'x-gateway-peer',
  'client-ip',
  'via',
];
const saidBy = (header: string, ip: string) => (header === 'forwarded' ? `for=${ip};proto=https` : ip);

describe('the client address', () => {
  it.each(['0', '1'])(
    'cannot be forged: no header gets past a limit, with %s trusted proxies @B11',
    async (hops) => {
      const harness = await startHarness({ env: { PROVISION_PER_HOUR: '2', TRUSTED_PROXY_HOPS: hops } });
      try {
        const provision = (headers: Record<string, string>) =>
          harness.request('POST', '/v1/auth/provision', {
            ip: '198.51.100.1',
            // The trusted proxy appends the last address; all before it comes from the client.
            headers: hops === '0' ? headers : { ...headers, 'x-forwarded-for': forwardedBy(headers) },
          });
        const forwardedBy = (headers: Record<string, string>) =>
          [headers['x-forwarded-for'], '203.0.113.5'].filter(Boolean).join(', ');
        expect((await provision({})).status).toBe(201);
        expect((await provision({})).status).toBe(201);
        let n = 0;
        for (const header of FORWARDING)
          for (const ip of [`10.1.2.${++n}`, `2001:db8:${n}::1`, '127.0.0.1'])
            expect((await provision({ [header]: saidBy(header, ip) })).status, `${header}: ${ip}`).toBe(429);
        const all = Object.fromEntries(FORWARDING.map((header) => [header, saidBy(header, '10.9.9.9')]));
        expect((await provision(all)).status).toBe(429);
      } finally {
        await harness.close();
      }
    },
  );

  it('is the one that the outermost trusted proxy saw, however many the client adds @B11', () => {
    const from = (forwarded: string | undefined, hops: number) =>
      clientIp(
        {
          header: (name) => (name === 'x-forwarded-for' ? forwarded : '10.9.9.9'),
          remoteAddress: '192.0.2.1',
        },
        hops,
      );
    expect(from('203.0.113.5', 0)).toBe('192.0.2.1');
    expect(from('10.0.0.1, 203.0.113.5', 1)).toBe('203.0.113.5');
    expect(from('10.0.0.1, 203.0.113.5, 198.51.100.9', 2)).toBe('203.0.113.5');
    // The request did not pass the proxies, so the peer's address counts.
    expect(from('203.0.113.5', 2)).toBe('192.0.2.1');
    expect(from(undefined, 1)).toBe('192.0.2.1');
  });
});
