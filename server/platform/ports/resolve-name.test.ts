import { pbkdf2 } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOutboundFetch } from './outbound';
import { OutboundGuard } from './outbound-guard';
import { resolveTrustedName, resolveUntrustedName } from './resolve-name';
import { startFakeDnsServer } from './testing/fake-dns-server';

/** Longer than the test takes, however slow the machine is. */
const LONG_MS = 60_000;

/** Receives every query without answering, or refuses all of them. */
let silent: Socket;
let servers: string[];
let asked = 0;
let refuseAll: () => void;
beforeAll(async () => {
  const unanswered: (() => void)[] = [];
  let isRefusing = false;
  silent = createSocket('udp4');
  silent.on('message', (query, from) => {
    asked += 1;
    const refuse = () => silent.send(toFailure(query), from.port, from.address);
    if (isRefusing) refuse();
    else unanswered.push(refuse);
  });
  refuseAll = () => {
    isRefusing = true;
    for (const refuse of unanswered.splice(0)) refuse();
  };
  await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
  servers = [`127.0.0.1:${silent.address().port}`];
});
afterAll(() => new Promise<void>((resolve) => silent.close(() => resolve())));

/** The response of a name server that fails: the query itself, with SERVFAIL. */
function toFailure(query: Buffer): Buffer {
  const answer = Buffer.from(query);
  answer.writeUInt16BE(0x8182, 2);
  return answer;
}

it('a name with silent name servers times out', async () => {
  await expect(resolveUntrustedName('silent.test', servers, 20)).rejects.toMatchObject({ code: 'EAI_AGAIN' });
});

it('a hundred names with silent name servers block neither files nor hashes @C10', async () => {
  let ended = 0;
  asked = 0;
  const guard = new OutboundGuard({ resolve: (name) => resolveUntrustedName(name, servers, LONG_MS) });
  const fetch = createOutboundFetch({ guard });
  const pending = Array.from({ length: 100 }, (_, at) =>
    fetch(`http://slow-${at}.test/`, { timeoutMs: LONG_MS }).then(
      () => 'answered',
      (error: Error) => {
        ended += 1;
        return error.message;
      },
    ),
  );
  await expect.poll(() => asked, { interval: 5 }).toBeGreaterThanOrEqual(100);
  expect((await readFile(import.meta.filename)).length).toBeGreaterThan(100);
  expect(await promisify(pbkdf2)('a', 'b', 10, 32, 'sha256')).toHaveLength(32);
  expect(ended).toBe(0);
  expect(process.getActiveResourcesInfo()).not.toContain('GetAddrInfoReqWrap');
  refuseAll();
  const messages = new Set(
    (await Promise.all(pending)).map((message) => message.replace(/\d+\.test/, 'N.test')),
  );
  expect([...messages]).toEqual([expect.stringMatching(/slow-N\.test.*(resolve|looked up)/)]);
});

it('untrusted names are not resolved in the thread pool, and trusted ones are', async () => {
  const inThreads = () =>
    process.getActiveResourcesInfo().filter((each) => each === 'GetAddrInfoReqWrap').length;
  const guard = new OutboundGuard();
  const foreign = guard.resolve('name.invalid', 80).catch(() => 'none');
  for (let turn = 0; turn < 20; turn++) {
    expect(inThreads()).toBe(0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await foreign).toBe('none');
  const trusted = resolveTrustedName('localhost');
  expect(inThreads()).toBe(1);
  expect((await trusted).length).toBeGreaterThan(0);
});

it('finds addresses of both families and of the hosts file, and none for an unknown name', async () => {
  const dns = await startFakeDnsServer((name, type) => {
    if (name === 'both.test') return { addresses: type === 'A' ? ['192.0.2.7'] : ['2001:db8::7'] };
    if (name === 'six.test' && type === 'AAAA') return { addresses: ['2001:db8::8'] };
    return { addresses: [] };
  });
  const find = (name: string) => resolveUntrustedName(name, [dns.server]);
  expect(await find('both.test')).toEqual([
    { address: '192.0.2.7', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ]);
  expect(await find('six.test')).toEqual([{ address: '2001:db8::8', family: 6 }]);
  await expect(find('none.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  for (const name of ['localhost', 'any.localhost'])
    expect(await find(name)).toMatchObject([{ address: '127.0.0.1' }]);
  expect(dns.queryCount('localhost')).toBe(0);
  const hosts = await readFile('/etc/hosts', 'utf8');
  if (new RegExp(`\\s${hostname()}\\s*$`, 'm').test(hosts)) {
    expect((await find(hostname())).length).toBeGreaterThan(0);
    expect(dns.queryCount(hostname())).toBe(0);
  }
  await dns.close();
});
