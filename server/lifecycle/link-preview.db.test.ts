import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSession } from '@/test/support/foreign-objects';
import { type Harness, startHarness } from '@/test/support/harness';
import { handleTrpc } from '../api/trpc/handler';
import { sessionCookieName } from '../identity/sessions/session-token';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { PROVISION_PER_HOUR: '1000', PROVISION_PER_DAY: '1000' } });
});
afterAll(() => harness.close());

const ORIGIN = 'http://gateway.test';

/** A signed-in person with a session cookie, and a claim link. */
async function createClaimLink() {
  const person = await harness.person();
  const { body } = await harness.request('POST', '/v1/auth/provision');
  const link = new URL(body.claim_url);
  const cookie = `${sessionCookieName(ORIGIN)}=${await newSession(harness, person.userId)}`;
  return { person, cookie, link, token: link.searchParams.get('token') ?? '', accountId: body.account_id };
}

/** All rows of both accounts: keys, audit events and ledger entries. */
async function listAllRows(accounts: string[]) {
  const { sql } = harness.runtime;
  return {
    accounts: await sql`select to_jsonb(a) as row from accounts a where id = any(${accounts}) order by id`,
    keys: await sql`select id, account_id, origin_account_id from api_keys where account_id = any(${accounts}) order by id`,
    audit: await sql`select id from audit_events where account_id = any(${accounts}) order by id`,
    entries: await sql`select ref from ledger_entries where account_id = any(${accounts}) order by ref`,
  };
}

const trpc = (name: string, init: RequestInit, token: string, body?: string) => {
  const query = body === undefined ? `?input=${encodeURIComponent(JSON.stringify({ token }))}` : '';
  return handleTrpc(
    new Request(`${ORIGIN}/api/trpc/${name}${query}`, { ...init, body: body ?? null }),
    harness.runtime,
  );
};

describe('a link-preview bot, prefetch or mail scanner that follows a claim link', () => {
  it('claims nothing by GET or HEAD, even with the session cookie of the recipient @B9 @F12', async () => {
    const { person, cookie, token, accountId } = await createClaimLink();
    const accounts = [person.accountId, accountId];
    const before = await listAllRows(accounts);
    const bots = ['Slackbot-LinkExpanding 1.0', 'Twitterbot/1.0', 'facebookexternalhit/1.1'];
    for (const agent of bots)
      for (const method of ['GET', 'HEAD']) {
        const headers = { cookie, 'user-agent': agent, purpose: 'prefetch' };
        // The request of the page.
        const preview = await trpc('auth.claimPreview', { method, headers }, token);
        if (method === 'GET') expect((await preview.json()).result.data).toMatchObject({ state: 'open' });
        // The request of the button, with GET or HEAD. For HEAD, tRPC responds without calling the
        // procedure.
        const sent = await trpc('auth.claim', { method, headers }, token);
        expect(sent.status).toBe(method === 'GET' ? 405 : 204);
        for (const key of [undefined, person.key]) {
          const path = `/v1/auth/claim?token=${encodeURIComponent(token)}`;
          const asked = await harness.request(method, path, { key, headers });
          expect(asked).toMatchObject({ status: 405, headers: { allow: 'POST, OPTIONS' } });
        }
      }
    expect(await listAllRows(accounts)).toEqual(before);
  });

  it('claims nothing by a form or script of another site, while the button of our page works @B9', async () => {
    const { person, cookie, token, accountId } = await createClaimLink();
    const accounts = [person.accountId, accountId];
    const before = await listAllRows(accounts);
    const json = JSON.stringify({ token });
    const post = (headers: Record<string, string>, body = json) =>
      trpc('auth.claim', { method: 'POST', headers: { cookie, ...headers } }, token, body);
    for (const headers of [
      { 'content-type': 'application/json', origin: 'https://evil.example' },
      { 'content-type': 'application/json', origin: 'null' },
      { 'content-type': 'text/plain', origin: ORIGIN },
      { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    ])
      expect([401, 403, 415]).toContain((await post(headers)).status);
    expect(await listAllRows(accounts)).toEqual(before);
    const claimed = await post({ 'content-type': 'application/json', origin: ORIGIN });
    expect(claimed.status).toBe(200);
    const after = await listAllRows(accounts);
    expect(after.keys.filter(({ account_id }) => account_id === person.accountId)).toHaveLength(2);
    expect(after.keys.filter(({ account_id }) => account_id === accountId)).toEqual([]);
  });

  it('learns only that the account was claimed, once another person has claimed it', async () => {
    const { person, token } = await createClaimLink();
    expect(
      (await harness.request('POST', '/v1/auth/claim', { key: person.key, json: { token } })).status,
    ).toBe(200);
    const looked = await trpc('auth.claimPreview', { method: 'GET' }, token);
    expect((await looked.json()).result.data).toEqual({
      state: 'claimed',
      keys: [],
      created_at: null,
      calls: 0,
      credits_usd: 0,
      assets: 0,
      reviews: 0,
    });
  });
});
