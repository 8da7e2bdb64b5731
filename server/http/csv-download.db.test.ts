import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashSessionToken, sessionCookieName } from '../auth/session-token';
import { type Harness, startHarness } from '../testing/harness';
import { downloadCalls } from './calls-download';

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
  return { status: response.status, text: await response.text() };
}

it('what cannot be read is refused before the file begins, and a file has all its lines', async () => {
  const { userId, key } = await harness.person(1_000_000n);
  const token = randomBytes(32).toString('hex');
  await harness.runtime.sql`insert into sessions (session_token, user_id, expires)
    values (${hashSessionToken(token)}, ${userId}, now() + interval '1 hour')`;
  const cookie = `${sessionCookieName(harness.runtime.settings.baseUrl)}=${token}`;
  for (const query of ['?tool=a%00b', '?member=%00', '?key_id=%00', '?from=9999-12-31', '?to=0000-01-01'])
    expect(await download(cookie, query), query).toMatchObject({ status: 400 });
  expect(await download('', '')).toMatchObject({ status: 401 });
  const empty = await download(cookie, '');
  expect(empty.status).toBe(200);
  expect(empty.text.split('\r\n')).toHaveLength(2);
  const call = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.1 } };
  for (let n = 0; n < 3; n++) await harness.ask('POST', '/v1/tools/call', { key, json: call });
  expect((await download(cookie, '')).text.trimEnd().split('\r\n')).toHaveLength(4);
});
