import { pbkdf2 } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDnsTwin } from '../testing/dns-twin';
import { lookUpForeignName, lookUpTrustedName } from './name-lookup';
import { createOutboundFetch } from './outbound';
import { OutboundGuard } from './outbound-guard';

/** Takes every question and answers none. */
let silent: Socket;
let servers: string[];
beforeAll(async () => {
  silent = createSocket('udp4');
  await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
  servers = [`127.0.0.1:${silent.address().port}`];
});
afterAll(() => new Promise<void>((resolve) => silent.close(() => resolve())));

it('a hundred names whose servers never answer keep no file and no hash waiting', {
  timeout: 120_000,
}, async () => {
  let ended = 0;
  let asked = 0;
  silent.on('message', () => {
    asked += 1;
  });
  const guard = new OutboundGuard({ resolve: (name) => lookUpForeignName(name, servers) });
  const fetch = createOutboundFetch({ guard });
  const pending = Array.from({ length: 100 }, (_, at) =>
    fetch(`http://slow-${at}.test/`, { timeoutMs: 30_000 }).then(
      () => 'answered',
      (error: Error) => {
        ended += 1;
        return error.message;
      },
    ),
  );
  while (asked < 100) await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await readFile(import.meta.filename)).length).toBeGreaterThan(100);
  expect(await promisify(pbkdf2)('a', 'b', 10, 32, 'sha256')).toHaveLength(32);
  expect(ended).toBe(0);
  expect(process.getActiveResourcesInfo()).not.toContain('GetAddrInfoReqWrap');
  const messages = new Set(
    (await Promise.all(pending)).map((message) => message.replace(/\d+\.test/, 'N.test')),
  );
  expect([...messages]).toEqual([expect.stringMatching(/slow-N\.test.*(resolve|looked up)/)]);
});

it('no name of a stranger is given to the threads, and a trusted one is', async () => {
  const inThreads = () =>
    process.getActiveResourcesInfo().filter((each) => each === 'GetAddrInfoReqWrap').length;
  const guard = new OutboundGuard();
  const foreign = guard.resolve('name.invalid', 80).catch(() => 'none');
  for (let turn = 0; turn < 20; turn++) {
    expect(inThreads()).toBe(0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await foreign).toBe('none');
  const trusted = lookUpTrustedName('localhost');
  expect(inThreads()).toBe(1);
  expect((await trusted).length).toBeGreaterThan(0);
});

it('finds the addresses of both families, those of the hosts file, and none where there are none', async () => {
  const dns = await startDnsTwin((name, type) => {
    if (name === 'both.test') return { addresses: type === 'A' ? ['192.0.2.7'] : ['2001:db8::7'] };
    if (name === 'six.test' && type === 'AAAA') return { addresses: ['2001:db8::8'] };
    return { addresses: [] };
  });
  const find = (name: string) => lookUpForeignName(name, [dns.server]);
  expect(await find('both.test')).toEqual([
    { address: '192.0.2.7', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ]);
  expect(await find('six.test')).toEqual([{ address: '2001:db8::8', family: 6 }]);
  await expect(find('none.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  for (const name of ['localhost', 'any.localhost'])
    expect(await find(name)).toMatchObject([{ address: '127.0.0.1' }]);
  expect(dns.asked('localhost')).toBe(0);
  const hosts = await readFile('/etc/hosts', 'utf8');
  if (new RegExp(`\\s${hostname()}\\s*$`, 'm').test(hosts)) {
    expect((await find(hostname())).length).toBeGreaterThan(0);
    expect(dns.asked(hostname())).toBe(0);
  }
  await dns.close();
});
