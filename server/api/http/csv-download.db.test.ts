import { afterAll, beforeAll, expect, it } from 'vitest';
import { newSession } from '@/test/support/foreign-objects';
import { type Harness, startHarness } from '@/test/support/harness';
import { sessionCookieName } from '../../identity/sessions/session-token';
import { downloadCalls } from './calls-download';
import { acquireSlot } from './csv-download';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
  globalThis.__gateway = { runtime: harness.runtime };
});
afterAll(async () => {
  globalThis.__gateway = undefined;
  await harness.close();
});

async function download(cookie: string, query: string) {
  const response = await downloadCalls(
    new Request(`http://gateway.test/dashboard/usage/calls.csv${query}`, { headers: { cookie } }),
  );
  // `text()` would remove the byte order mark.
  return { status: response.status, text: Buffer.from(await response.arrayBuffer()).toString() };
}

const badQuery = (cookie: string) =>
  new Request('http://gateway.test/dashboard/usage/calls.csv?tool=a%00b', { headers: { cookie } });

async function signIn(): Promise<string> {
  const { userId } = await harness.person();
  return `${sessionCookieName(harness.runtime.settings.baseUrl)}=${await newSession(harness, userId)}`;
}

const open = (cookie: string, method = 'GET') =>
  downloadCalls(
    new Request('http://gateway.test/dashboard/usage/calls.csv', { method, headers: { cookie } }),
  );

it('allows two concurrent downloads per account, and frees a slot however one ends @F5', async () => {
  const cookie = await signIn();
  const running = [await open(cookie), await open(cookie)];
  const refused = await open(cookie);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('10');
  expect(refused.headers.get('ratelimit')).toBe('"downloads";r=0;t=10');
  expect(await refused.json()).toMatchObject({
    error: { code: 'RATE_LIMIT_EXCEEDED', limit: 'downloads', retry_after: 10 },
  });
  await running[0]?.text();
  await running[1]?.body?.cancel();
  expect((await open(cookie, 'HEAD')).status).toBe(200);
  expect((await downloadCalls(badQuery(cookie))).status).toBe(400);
  for (const at of [0, 1]) running[at] = await open(cookie);
  expect(running.map(({ status }) => status)).toEqual([200, 200]);
  for (const { body } of running) await body?.cancel();
});

it('clients that do not read take no place from others, up to a hundred downloads @F5 @F7', async () => {
  const cookies = await Promise.all(Array.from({ length: 9 }, signIn));
  const unread = [];
  for (const cookie of cookies.slice(1)) unread.push(await open(cookie), await open(cookie));
  expect(unread.map(({ status }) => status)).toEqual(Array(16).fill(200));
  const file = await open(cookies[0] ?? '');
  expect([file.status, (await file.text()).split('\r\n').length]).toEqual([200, 2]);
  const slots = Array.from({ length: 84 }, (_, n) => acquireSlot(`acct_${n}`));
  expect((await open(cookies[0] ?? '')).status).toBe(429);
  for (const leave of slots) leave();
  for (const { body } of unread) await body?.cancel();
});

it('refuses an invalid query before the file starts, and writes every line of a valid one', async () => {
  const { userId, key } = await harness.person(1_000_000n);
  const cookie = `${sessionCookieName(harness.runtime.settings.baseUrl)}=${await newSession(harness, userId)}`;
  for (const query of ['?tool=a%00b', '?member=%00', '?key_id=%00', '?from=9999-12-31', '?to=0000-01-01'])
    expect(await download(cookie, query), query).toMatchObject({ status: 400 });
  expect(await download('', '')).toMatchObject({ status: 401 });
  const empty = await download(cookie, '');
  expect(empty.status).toBe(200);
  expect(empty.text.split('\r\n')).toHaveLength(2);
  // Excel takes a file without a byte order mark for the charset of its machine.
  expect(empty.text).toMatch(/^\uFEFFid,started_at,/);
  const call = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.1 } };
  for (let n = 0; n < 3; n++) await harness.request('POST', '/v1/tools/call', { key, json: call });
  expect((await download(cookie, '')).text.trimEnd().split('\r\n')).toHaveLength(4);
});
