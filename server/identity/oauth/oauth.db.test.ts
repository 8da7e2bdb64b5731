import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import {
  approveApplication,
  buildAuthorizationRequest,
  connect,
  createTokenCaller,
  isTokenValid,
  newPkce,
  postForm,
  REDIRECT,
  refreshWith,
  register,
} from '@/test/support/oauth-fixture';
import { createSessionActor } from '@/test/support/session-actor';
import { deleteAccount } from '../../lifecycle/delete-account';
import { sweep } from '../../operations/retention/sweep';
import { describeRequest } from './describe-request';
import { disconnect } from './disconnect';
import { limitConnection } from './limit-connection';
import { listConnections } from './list-connections';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const spend = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.4 } };
const fetchConnections = async (person: { userId: string; accountId: string }) =>
  (await listConnections(harness.runtime, createSessionActor(person))).connections;

describe('an application that a person approves', () => {
  it('calls tools as the person, charged to them, with a key, limits and history of its own', async () => {
    const person = await harness.person(5_000_000n);
    const { access } = await connect(harness, person, 1);
    const caller = await createTokenCaller(harness, access);
    expect(await caller?.calls.run(spend)).toMatchObject({ status: 'success', usage: { cost: 0.4 } });
    const [connection] = await fetchConnections(person);
    expect(connection).toMatchObject({
      name: 'Chat',
      place: { kind: 'web', host: 'chat.example' },
      document_host: null,
      credits: 0.6,
      credits_used: 0.4,
    });
    const usage = await harness.request('GET', '/v1/usage?period=day', { key: person.key });
    expect(usage.body.by_key).toMatchObject([{ key_id: connection?.key_id, name: 'Chat', cost_usd: 0.4 }]);
    const keys = await harness.request('GET', '/v1/keys', { key: person.key });
    expect(keys.body.keys).toHaveLength(1);
  });

  it('is stopped by its own limit, which the person can change', async () => {
    const person = await harness.person(5_000_000n);
    const { access } = await connect(harness, person, 0.5);
    const call = async () => (await createTokenCaller(harness, access))?.calls.run(spend);
    await call();
    await expect(call()).rejects.toMatchObject({
      cause: { code: 'INSUFFICIENT_CREDITS', details: { limit: 'key' } },
    });
    const [{ id } = { id: '' }] = await fetchConnections(person);
    await limitConnection(harness.runtime, createSessionActor(person), { id, credits: 0.4 });
    expect((await fetchConnections(person))[0]).toMatchObject({ credits: 0.4, credits_used: 0.4 });
    await call();
    await limitConnection(harness.runtime, createSessionActor(person), { id, credits: null });
    await call();
    expect((await fetchConnections(person))[0]).toMatchObject({ credits: null, credits_used: 1.2 });
  });

  it('loses its tokens at once when the person disconnects it; no other person can', async () => {
    const person = await harness.person(1_000_000n);
    const outsider = await harness.person();
    const { access, refresh, clientId } = await connect(harness, person);
    expect(await isTokenValid(harness, access)).toBe(true);
    const [{ id } = { id: '' }] = await fetchConnections(person);
    for (const act of [
      () => disconnect(harness.runtime, createSessionActor(outsider), id),
      () => limitConnection(harness.runtime, createSessionActor(outsider), { id, credits: null }),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await isTokenValid(harness, access)).toBe(true);
    await disconnect(harness.runtime, createSessionActor(person), id);
    expect(await isTokenValid(harness, access)).toBe(false);
    expect((await refreshWith(harness, clientId, refresh)).body.error).toBe('invalid_grant');
    expect(await fetchConnections(person)).toEqual([]);
  });

  it('loses access when the account is deleted @F13', async () => {
    const person = await harness.person();
    const { access, refresh, clientId } = await connect(harness, person);
    const second = await register(harness);
    const { verifier, challenge } = newPkce();
    const code = await approveApplication(
      harness,
      person,
      buildAuthorizationRequest(second.client_id, challenge),
    );
    await deleteAccount(harness.runtime, createSessionActor(person));
    expect(await isTokenValid(harness, access)).toBe(false);
    expect((await refreshWith(harness, clientId, refresh)).status).toBe(400);
    const late = await postForm(harness, '/oauth/token', {
      grant_type: 'authorization_code',
      client_id: second.client_id,
      code,
      code_verifier: verifier,
    });
    expect(late.body.error).toBe('invalid_grant');
  });

  it('approved again, replaces the old grant only when the new code is exchanged', async () => {
    const person = await harness.person();
    const first = await connect(harness, person);
    const { verifier, challenge } = newPkce();
    const request = buildAuthorizationRequest(first.clientId, challenge);
    expect(await describeRequest(harness.runtime, createSessionActor(person), request)).toMatchObject({
      kind: 'asked',
      replaces: true,
    });
    const code = await approveApplication(harness, person, request);
    expect(await isTokenValid(harness, first.access)).toBe(true);
    const second = await postForm(harness, '/oauth/token', {
      ...first.exchange,
      code,
      code_verifier: verifier,
    });
    expect(second.status).toBe(200);
    expect(await isTokenValid(harness, first.access)).toBe(false);
    expect(await isTokenValid(harness, second.body.access_token)).toBe(true);
    expect(await fetchConnections(person)).toHaveLength(1);
  });

  it('has no secret in the database: tokens and codes are hashes @B5', async () => {
    const person = await harness.person();
    const { access, refresh, clientId, exchange } = await connect(harness, person);
    const next = (await refreshWith(harness, clientId, refresh)).body;
    const confidential = await register(harness, { token_endpoint_auth_method: 'client_secret_post' });
    const rows = await harness.runtime.sql`
      select to_jsonb(t)::text as text from oauth_tokens t union all select to_jsonb(c)::text from oauth_codes c
      union all select to_jsonb(g)::text from oauth_grants g union all select to_jsonb(c)::text from oauth_clients c`;
    const dump = rows.map(({ text }) => text).join('\n') + harness.log.join('\n');
    for (const secret of [
      access,
      refresh,
      exchange.code,
      next.access_token,
      next.refresh_token,
      confidential.client_secret,
    ])
      expect(dump).not.toContain(String(secret).slice(7));
  });
});

describe('a confidential client', () => {
  it('authenticates by header or body; a wrong or missing secret gives 401', async () => {
    const person = await harness.person();
    const client = await register(harness, { token_endpoint_auth_method: 'client_secret_basic' });
    const exchange = async (fields: Record<string, string | undefined>, headers = {}) => {
      const { verifier, challenge } = newPkce();
      const code = await approveApplication(
        harness,
        person,
        buildAuthorizationRequest(client.client_id, challenge),
      );
      return await postForm(
        harness,
        '/oauth/token',
        { grant_type: 'authorization_code', code, code_verifier: verifier, ...fields },
        headers,
      );
    };
    const basic = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`${client.client_id}:${secret}`).toString('base64')}`,
    });
    const { client_id, client_secret } = client;
    expect((await exchange({}, basic(client_secret))).status).toBe(200);
    expect((await exchange({ client_id, client_secret })).status).toBe(200);
    const refused = await exchange({}, basic('wrong'));
    expect(refused).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(refused.headers['www-authenticate']).toContain('Basic');
    for (const fields of [
      { client_id },
      { client_id, client_secret: 'wrong' },
      { client_id: 'oac_unknown' },
      {},
    ])
      expect(await exchange(fields)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    const nul = { authorization: `Basic ${Buffer.from('%00:x').toString('base64')}` };
    expect(await exchange({}, nul)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    // With both methods at once.
    expect((await exchange({ client_id, client_secret }, basic(client_secret))).body.error).toBe(
      'invalid_request',
    );
  });
});

describe('expired rows', () => {
  it('are deleted by the sweep: codes, tokens, grants without tokens and their keys, and unused applications', async () => {
    const { runtime } = harness;
    const { sql } = runtime;
    const person = await harness.person();
    const kept = await connect(harness, person);
    const ended = await connect(harness, person);
    const unused = await register(harness);
    await sql`update oauth_codes set expires_at = now() - interval '2 days' where client_id = ${ended.clientId}`;
    await sql`update oauth_tokens set expires_at = now() where grant_id in
      (select id from oauth_grants where client_id = ${ended.clientId})`;
    await sql`update oauth_clients set last_used_at = now() - interval '91 days'
      where id in (${ended.clientId}, ${unused.client_id}, ${kept.clientId})`;
    const { removed } = await sweep(runtime);
    expect(removed).toMatchObject({ oauthCodes: 1, oauthTokens: 2, oauthGrants: 1, oauthClients: 2 });
    expect(await fetchConnections(person)).toHaveLength(1);
    expect(await isTokenValid(harness, kept.access)).toBe(true);
    const keys = await sql`select revoked_at from api_keys
      where account_id = ${person.accountId} and kind = 'oauth' order by id`;
    expect(keys.map(({ revoked_at }) => revoked_at !== null)).toEqual([false, true]);
    expect(
      (await postForm(harness, '/oauth/token', { ...kept.exchange, redirect_uri: REDIRECT })).status,
    ).toBe(400);
  });
});
