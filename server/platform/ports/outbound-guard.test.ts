import { hostname, networkInterfaces } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeSite, startFakeSite } from '@/test/support/fake-site';
import { parseAllowedHost } from '../settings/allowed-host';
import { createOutboundFetch } from './outbound';
import { isPublicAddress } from './outbound-address';
import type { OutboundFetch } from './outbound-fetch';
import { OutboundGuard } from './outbound-guard';
import { type FakeDnsServer, startFakeDnsServer } from './testing/fake-dns-server';

const NOT_PUBLIC = 'The address is not on the public internet.';
/** A public address on which nothing answers, so that connections of a test hang. */
const PUBLIC = '203.0.114.1';
const REBINDS = 40;

/** Listens on a private address: a connection to it is a failure. */
let canary: FakeSite;
let canary6: FakeSite | null;
/** An allowed site that redirects its visitors. */
let redirector: FakeSite;
let dns: FakeDnsServer;
let byDns: OutboundFetch;
let bySystem: OutboundFetch;

beforeAll(async () => {
  canary = await startFakeSite((_, response) => void response.end('secret'));
  canary6 = await startFakeSite((_, response) => void response.end('secret'), '::1').catch(() => null);
  redirector = await startFakeSite((request, response) => {
    const [, status = '302', ...target] = (request.url ?? '').split('/');
    response
      .writeHead(Number(status), {
        Location: Buffer.from(decodeURIComponent(target.join('/'))).toString('latin1'),
      })
      .end();
  });
  dns = await startFakeDnsServer((name, type, nth) => {
    if (name === 'rebind.test') return type === 'A' ? { addresses: [nth % 2 ? '127.0.0.1' : PUBLIC] } : NONE;
    if (name === 'cname.test') return type === 'A' ? { addresses: ['127.0.0.1'], cname: 'localhost' } : NONE;
    if (name === 'six.test') return type === 'AAAA' ? { addresses: ['::1'] } : NONE;
    if (name === 'mapped.test') return type === 'AAAA' ? { addresses: ['::ffff:7f00:1'] } : NONE;
    if (name === 'inside.test') return type === 'A' ? { addresses: ['127.0.0.1'] } : NONE;
    if (name === 'mixed.test') return { addresses: type === 'A' ? [PUBLIC, '127.0.0.1'] : [] };
    if (name === 'metadata.test') return type === 'A' ? { addresses: ['169.254.169.254'] } : NONE;
    return NONE;
  });
  const webPorts = [80, 443, canary.port, ...(canary6 ? [canary6.port] : [])];
  const allow = [{ host: '127.0.0.1', port: redirector.port }];
  byDns = createOutboundFetch({ guard: new OutboundGuard({ webPorts, allow, resolve: dns.resolve }) });
  bySystem = createOutboundFetch({ guard: new OutboundGuard({ webPorts, allow }) });
});
const NONE = { addresses: [] };
afterAll(async () => {
  await Promise.all([canary, canary6, redirector, dns].map((twin) => twin?.close()));
});
let before = 0;
const touched = () => canary.connections() + (canary6?.connections() ?? 0);
beforeEach(() => {
  before = touched();
});

async function getErrorMessage(asked: Promise<unknown>): Promise<string> {
  return await asked.then(
    () => 'answered',
    (error: Error) => error.message,
  );
}

describe('where tools may not go', () => {
  const literals = [
    'http://127.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://127.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0x7f.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://017700000001:PORT/',
    'http://127.0.0.1.:PORT/',
    'http://0:PORT/',
    'http://0.0.0.0:PORT/',
    'http://127.255.255.254:PORT/',
    'http://１２７.０.０.１:PORT/',
    'http://①②⑦.⓪.⓪.①:PORT/',
    'http://127。0。0。1:PORT/',
    'http:\\\\127.0.0.1:PORT\\',
    'http:/\t/127.0.0.1:PORT/',
    ' http://127.0.0.1:PORT/ ',
    'http://%31%32%37.0.0.1:PORT/',
    'http://[::1]:PORT6/',
    'http://[::]:PORT6/',
    'http://[0:0:0:0:0:0:0:1]:PORT6/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://[64:ff9b:1::7f00:1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://[2001:0:4136:e378:8000:63bf:80ff:fffe]:PORT/',
    'http://[fe80::1]:PORT/',
    'http://[fc00::1]:PORT/',
    'http://[ff02::1]:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://168.63.129.16/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
  ];
  const address = (text: string) =>
    text.replace('PORT6', String(canary6?.port ?? canary.port)).replace('PORT', String(canary.port));

  it.each(literals)('%s is refused before anything connects @C8 @C9', async (text) => {
    expect(await getErrorMessage(bySystem(address(text)))).toBe(NOT_PUBLIC);
    expect(touched()).toBe(before);
  });

  it.each(literals)('a redirect to %s is refused @C9', async (text) => {
    const target = encodeURIComponent(address(text).trim());
    expect(await getErrorMessage(bySystem(`${redirector.origin}/302/${target}`))).toBe(NOT_PUBLIC);
    expect(touched()).toBe(before);
  });

  it.each(['localhost', 'LOCALHOST.', hostname()])('%s of the hosts file is refused @C10', async (name) => {
    expect(await getErrorMessage(bySystem(`http://${name}:${canary.port}/`))).toBe(NOT_PUBLIC);
    expect(touched()).toBe(before);
  });

  it.each(['inside.test', 'cname.test', 'six.test', 'mapped.test', 'mixed.test', 'inside.test.'])(
    '%s, which resolves to a private address, is refused without revealing it @C10',
    async (name) => {
      for (const port of [canary.port, canary6?.port ?? canary.port])
        expect(await getErrorMessage(byDns(`http://${name}:${port}/`))).toBe(NOT_PUBLIC);
      expect(
        await getErrorMessage(byDns(`${redirector.origin}/307/http:%2F%2F${name}:${canary.port}/`)),
      ).toBe(NOT_PUBLIC);
      expect(dns.queryCount(name.replace(/\.$/, ''))).toBeGreaterThan(0);
      expect(touched()).toBe(before);
    },
  );

  it('a name that changes from public to private after the check never connects to the private address @C10', async () => {
    const stops = Array.from({ length: REBINDS }, () => new AbortController());
    let refused = 0;
    const asked = stops.map(async ({ signal }) => {
      const message = await getErrorMessage(byDns(`http://rebind.test:${canary.port}/`, { signal }));
      if (message === NOT_PUBLIC) refused++;
      return message;
    });
    // Nothing answers at the public address: those requests wait until they are aborted.
    await expect.poll(() => dns.queryCount('rebind.test') >= REBINDS && refused > 0).toBe(true);
    for (const stop of stops) stop.abort();
    const messages = await Promise.all(asked);
    expect(messages).not.toContain('answered');
    // About half resolved to the private address at the check; the others used the checked address.
    expect(messages).toContain(NOT_PUBLIC);
    expect(messages.some((message) => message !== NOT_PUBLIC)).toBe(true);
    expect(touched()).toBe(before);
  });

  it('of a name with thousands of addresses only the first are checked and used @E29', async () => {
    const addresses = Array.from({ length: 4_000 }, (_, n) => ({
      address: n < 32 ? `93.184.216.${n}` : `10.0.${n >> 8}.${n & 255}`,
      family: 4,
    }));
    const guard = new OutboundGuard({ resolve: async () => addresses });
    expect(await guard.resolve('many.test', 80)).toEqual(addresses.slice(0, 32));
  });

  it.each([301, 302, 303, 307, 308])('a redirect with status %i is checked again @C11', async (status) => {
    const target = encodeURIComponent(`${canary.origin}/`);
    expect(await getErrorMessage(bySystem(`${redirector.origin}/${status}/${target}`))).toBe(NOT_PUBLIC);
    expect(touched()).toBe(before);
  });

  it.each([
    ['file:///etc/passwd', 'Only http and https addresses can be reached.'],
    ['ftp://example.com/', 'Only http and https addresses can be reached.'],
    ['gopher://127.0.0.1:6379/_INFO', 'Only http and https addresses can be reached.'],
    ['data:text/plain,hello', 'Only http and https addresses can be reached.'],
    ['javascript:alert(1)', 'Only http and https addresses can be reached.'],
    ['http://user:pass@example.com/', 'The address must not contain a user name or a password.'],
    ['http://example.com@127.0.0.1/', 'The address must not contain a user name or a password.'],
    ['http://127.0.0.1#@example.com/', NOT_PUBLIC],
    ['http://1.1.1.1:22/', 'Port 22 is not a web port'],
    ['http://1.1.1.1:6379/', 'Port 6379 is not a web port'],
    ['not an address', 'The address is not a valid URL.'],
    ['http://', 'The address is not a valid URL.'],
  ])('%s is refused: %s @C9', async (text, message) => {
    expect(await getErrorMessage(bySystem(text))).toContain(message);
    const redirect = await getErrorMessage(bySystem(`${redirector.origin}/302/${encodeURIComponent(text)}`));
    if (URL.canParse(text)) expect(redirect).toContain(message);
  });

  it('an address of this machine is refused, public or not', async () => {
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address: text, family } of own.filter(({ scopeid }) => !scopeid)) {
      const host = family === 'IPv6' ? `[${text}]` : text;
      expect(await getErrorMessage(bySystem(`http://${host}:${canary.port}/`))).toBe(NOT_PUBLIC);
    }
  });
});

describe('the gateway itself', () => {
  const own = { baseUrl: 'https://gateway.example', port: 80 };

  it('is refused by its name and by its port, even if this machine is allowed @C8', async () => {
    const allow = [
      { host: '127.0.0.1', port: null },
      { host: 'gateway.example', port: 8443 },
    ];
    const guard = new OutboundGuard({ own, allow });
    for (const url of ['https://gateway.example/', 'https://gateway.example./v1', 'http://gateway.example/'])
      expect(() => guard.checkUrl(new URL(url))).toThrow(NOT_PUBLIC);
    await expect(guard.resolve('127.0.0.1', 80)).rejects.toThrow(NOT_PUBLIC);
    await expect(guard.resolve('127.0.0.1', 8080)).resolves.toHaveLength(1);
  });
});

describe('hosts that an operator allows', () => {
  it('are reachable, and no other hosts', async () => {
    const allowed = createOutboundFetch({
      guard: new OutboundGuard({ allow: [{ host: 'localhost', port: canary.port }] }),
    });
    const response = await allowed(`http://localhost:${canary.port}/`);
    expect(await response.text()).toBe('secret');
    const seen = touched();
    expect(await getErrorMessage(allowed(`http://127.0.0.1:${canary.port}/`))).toBe(NOT_PUBLIC);
    expect(await getErrorMessage(allowed(`http://localhost:${redirector.port}/`))).toBe(NOT_PUBLIC);
    expect(touched()).toBe(seen);
  });

  it.each([
    ['wiki.internal', { host: 'wiki.internal', port: null }],
    ['Wiki.Internal.:8080', { host: 'wiki.internal', port: 8080 }],
    ['127.0.0.1:80', { host: '127.0.0.1', port: 80 }],
    ['[::1]:9000', { host: '[::1]', port: 9000 }],
    ['http://x', null],
    ['a b', null],
    ['user@x', null],
    ['x:99999', null],
  ])('%s is read', (text, host) => {
    expect(parseAllowedHost(text)).toEqual(host);
  });
});

describe('public addresses', () => {
  it.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700::1111'])(
    '%s is one',
    (text) => {
      expect(isPublicAddress(text)).toBe(true);
    },
  );

  it.each(['192.0.2.1', '198.18.0.1', '198.51.100.7', '2001:db8::1', '3fff::1', '5f00::1', 'localhost', ''])(
    '%s is none',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );
});
