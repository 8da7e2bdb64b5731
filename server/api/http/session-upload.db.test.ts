import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildForm, type Send, type ServedHarness, serveHarness } from '@/test/support/asset-client';
import { type Harness, startHarness } from '@/test/support/harness';
import { createAuthAdapter } from '../../identity/sessions/adapter';
import { sessionCookieName } from '../../identity/sessions/session-token';

const BASE = 'http://gateway.test';
const PATH = '/dashboard/assets/upload';
const MIB = 1024 * 1024;

let harness: Harness;
let served: ServedHarness;
beforeAll(async () => {
  harness = await startHarness({ env: { UPLOAD_LIMIT_MIB: '1', ASSET_QUOTA_MIB: '2' } });
  served = await serveHarness(harness);
});
afterAll(async () => {
  served.close();
  await harness.close();
});

/** A user who is signed in with a browser. */
async function signedIn() {
  const person = await harness.person();
  const sessionToken = `token of ${person.userId}`;
  const expires = new Date(Date.now() + 3_600_000);
  await createAuthAdapter(harness.runtime).createSession?.({ sessionToken, userId: person.userId, expires });
  return { ...person, cookie: `${sessionCookieName(BASE)}=${sessionToken}` };
}

const adapters: [string, Send][] = [
  ['on Node, before Next', (path, init) => served.onNode(path, init)],
  ['as a Next route', (path, init) => served.throughNext(path, init)],
];

describe.each(adapters)('an upload from the dashboard %s', (_, ask) => {
  const send = (headers: Record<string, string>, body: FormData = buildForm('hello')) =>
    ask(PATH, { method: 'POST', headers, body });
  const countFiles = async (accountId: string) => {
    const [row] = await harness.runtime
      .sql`select count(*)::int as n from assets where account_id = ${accountId}`;
    return row?.n as number;
  };

  it('is stored in the account of the signed-in user', async () => {
    const { cookie, accountId } = await signedIn();
    const answer = await send(
      { cookie, origin: BASE },
      buildForm('a,b\n', { name: 'x.csv', type: 'text/csv' }),
    );
    const result = await answer.json();
    expect([answer.status, result]).toEqual([
      200,
      {
        asset_id: expect.stringMatching(/^asset_/),
        url: `${BASE}/files/${result.asset_id}/x.csv`,
        page_url: `${BASE}/assets/${result.asset_id}`,
        content_type: 'text/csv',
        size_bytes: 4,
      },
    ]);
    expect(await countFiles(accountId)).toBe(1);
  });

  it('is refused from another site, although the cookie is sent', async () => {
    const { cookie, accountId } = await signedIn();
    for (const origin of ['https://evil.example', 'null', 'http://gateway.test.evil.example']) {
      const answer = await send({ cookie, origin });
      expect([answer.status, (await answer.json()).error.code]).toEqual([403, 'FORBIDDEN']);
    }
    const without = await send({ cookie });
    expect(without.status).toBe(403);
    expect(await countFiles(accountId)).toBe(0);
  });

  it('requires a session: an API key is not accepted', async () => {
    const { key, accountId } = await signedIn();
    const withKey: Record<string, string> = { authorization: `Bearer ${key}` };
    for (const headers of [{}, withKey]) {
      const answer = await send({ origin: BASE, ...headers });
      expect([answer.status, (await answer.json()).error.code]).toEqual([401, 'AUTH_REQUIRED']);
    }
    expect(await countFiles(accountId)).toBe(0);
  });

  it('has the limits of an upload with a key: size, quota and form', async () => {
    const { cookie } = await signedIn();
    const headers = { cookie, origin: BASE };
    const tooLarge = await send(headers, buildForm(new Uint8Array(MIB + 1)));
    expect([tooLarge.status, (await tooLarge.json()).error.fields[0].path]).toEqual([413, 'file']);
    for (let n = 0; n < 2; n++)
      expect((await send(headers, buildForm(new Uint8Array(MIB)))).status).toBe(200);
    const full = await send(headers);
    expect([full.status, (await full.json()).error.limit]).toEqual([413, 'quota']);
    const json = await ask(PATH, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(json.status).toBe(415);
  });

  it('is refused to a frozen account', async () => {
    const { cookie, accountId } = await signedIn();
    await harness.runtime.sql`update accounts set frozen_at = now() where id = ${accountId}`;
    const answer = await send({ cookie, origin: BASE });
    expect([answer.status, (await answer.json()).error.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('accepts only POST', async () => {
    const answer = await ask(PATH);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
