import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import {
  approveApplication,
  buildAuthorizationRequest,
  connect,
  isTokenValid,
  newPkce,
  postForm,
  REDIRECT,
  refreshWith,
  register,
} from '@/test/support/oauth-fixture';
import { createSessionActor } from '@/test/support/session-actor';
import { approveRequest } from './approve-request';
import { describeRequest } from './describe-request';
import { listConnections } from './list-connections';
import type { AuthorizationRequest } from './schema';

let harness: Harness;
let person: Awaited<ReturnType<Harness['person']>>;
beforeAll(async () => {
  harness = await startHarness();
  person = await harness.person(1_000_000n);
});
afterAll(() => harness.close());

/** An unused code, with a function that exchanges it. */
async function waitingCode(registered: string[] = [REDIRECT], redirectUri = REDIRECT) {
  const clientId: string = (await register(harness, { redirect_uris: registered })).client_id;
  const { verifier, challenge } = newPkce();
  const request = buildAuthorizationRequest(clientId, challenge, { redirect_uri: redirectUri });
  const code = await approveApplication(harness, person, request);
  const form = {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  };
  return { form, exchange: (changed = {}) => postForm(harness, '/oauth/token', { ...form, ...changed }) };
}

const describeAs = (request: AuthorizationRequest) =>
  describeRequest(harness.runtime, createSessionActor(person), request);

describe('a code', () => {
  it('presented twice is refused, and ends the grant of the first exchange', async () => {
    const { exchange } = await waitingCode();
    const { access_token: access } = (await exchange()).body;
    expect(await isTokenValid(harness, access)).toBe(true);
    expect(await exchange()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await isTokenValid(harness, access)).toBe(false);
  });

  it('presented ten times at once is exchanged only once', async () => {
    const { exchange } = await waitingCode();
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => status < 500)).toBe(true);
  });

  it('works only with its client, verifier and redirect URI, and a wrong attempt does not use it up', async () => {
    const { form, exchange } = await waitingCode();
    const other = await register(harness);
    for (const changed of [
      { client_id: other.client_id },
      { code_verifier: newPkce().verifier },
      { code_verifier: 'short' },
      { redirect_uri: 'https://chat.example/callback/more' },
      { redirect_uri: 'https://evil.example/callback' },
      { code: `${form.code.slice(0, -1)}${form.code.endsWith('A') ? 'B' : 'A'}` },
      { code: 'tg_ocd_' },
    ])
      expect(await exchange(changed), JSON.stringify(changed)).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
    expect((await exchange({ code_verifier: undefined })).body.error).toBe('invalid_request');
    expect(await exchange({ resource: 'https://other.example/mcp' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_target' },
    });
    expect((await exchange({ resource: `${harness.runtime.settings.baseUrl}/mcp` })).status).toBe(200);
  });

  it('is valid for one minute', async () => {
    const { exchange } = await waitingCode();
    await harness.runtime.sql`update oauth_codes set expires_at = now() where used_at is null`;
    expect((await exchange()).body.error).toBe('invalid_grant');
  });
});

describe('a refresh token', () => {
  it('is exchanged once, and the next pair works', async () => {
    const { clientId, access, refresh } = await connect(harness, person);
    const { body, headers } = await refreshWith(harness, clientId, refresh);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'tools' });
    expect(headers['cache-control']).toBe('no-store');
    expect(body.refresh_token).not.toBe(refresh);
    expect(await isTokenValid(harness, body.access_token)).toBe(true);
    expect(await isTokenValid(harness, access)).toBe(true);
    expect((await refreshWith(harness, clientId, body.refresh_token)).status).toBe(200);
  });

  it('returns the same pair again if the response was lost or two processes send it at once', async () => {
    const { clientId, refresh } = await connect(harness, person);
    const answers = await Promise.all([1, 2, 3].map(() => refreshWith(harness, clientId, refresh)));
    const later = await refreshWith(harness, clientId, refresh);
    expect(new Set([...answers, later].map(({ body }) => body.refresh_token)).size).toBe(1);
    expect(new Set([...answers, later].map(({ body }) => body.access_token)).size).toBe(1);
    expect(await isTokenValid(harness, later.body.access_token)).toBe(true);
  });

  it.each(['after half a minute', 'after its successor was used'])(
    'presented again %s ends the grant',
    async (when) => {
      const { clientId, refresh } = await connect(harness, person);
      const next = (await refreshWith(harness, clientId, refresh)).body;
      const last = when.startsWith('after its')
        ? (await refreshWith(harness, clientId, next.refresh_token)).body
        : next;
      if (when === 'after half a minute')
        await harness.runtime.sql`update oauth_tokens set used_at = used_at - interval '31 seconds'
          where used_at is not null`;
      expect((await refreshWith(harness, clientId, refresh)).body.error).toBe('invalid_grant');
      expect(await isTokenValid(harness, last.access_token)).toBe(false);
      expect((await refreshWith(harness, clientId, last.refresh_token)).body.error).toBe('invalid_grant');
      const { connections } = await listConnections(harness.runtime, createSessionActor(person));
      const [stillThere] = await harness.runtime
        .sql`select 1 from oauth_grants where client_id = ${clientId}`;
      expect(stillThere).toBeUndefined();
      expect(connections.every(({ id }) => id.startsWith('oag_'))).toBe(true);
    },
  );

  it('does not work for another client, as an access token, or after it has expired', async () => {
    const { clientId, access, refresh } = await connect(harness, person);
    const other = await register(harness);
    expect((await refreshWith(harness, other.client_id, refresh)).body.error).toBe('invalid_grant');
    expect((await refreshWith(harness, clientId, access)).body.error).toBe('invalid_grant');
    expect(await isTokenValid(harness, refresh)).toBe(false);
    await harness.runtime.sql`update oauth_tokens set expires_at = now()`;
    expect((await refreshWith(harness, clientId, refresh)).body.error).toBe('invalid_grant');
    expect(await isTokenValid(harness, access)).toBe(false);
  });

  it('is limited to sixty refreshes per hour', async () => {
    const { clientId, refresh } = await connect(harness, person);
    await harness.runtime.sql`insert into rate_windows (scope, subject, started_at, used)
      select 'oauth-refresh', id, now(), 60 from oauth_grants where client_id = ${clientId}`;
    const answer = await refreshWith(harness, clientId, refresh);
    expect(answer).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED' } } });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('an access token', () => {
  it('is refused on every path of /v1', async () => {
    const { access } = await connect(harness, person);
    for (const [method, path, json] of [
      ['GET', '/v1/billing/balance', undefined],
      ['POST', '/v1/keys', {}],
      ['POST', '/v1/tools/call', { tool: 'diagnostics', skill: 'echo', input: {} }],
    ] as const)
      expect(await harness.request(method, path, { key: access, json }), path).toMatchObject({
        status: 401,
        body: { error: { code: 'AUTH_FAILED', message: expect.stringContaining('only at /mcp') } },
      });
  });

  it('revoked by its client ends alone; the refresh token ends the grant; other clients can revoke neither', async () => {
    const { clientId, access, refresh } = await connect(harness, person);
    const other = await register(harness);
    const revoke = (client: string, token: string) =>
      postForm(harness, '/oauth/revoke', { client_id: client, token });
    for (const token of [access, refresh, 'unknown'])
      expect((await revoke(other.client_id, token)).status).toBe(200);
    expect(await isTokenValid(harness, access)).toBe(true);
    const next = (await refreshWith(harness, clientId, refresh)).body;
    expect((await revoke(clientId, access)).status).toBe(200);
    expect(await isTokenValid(harness, access)).toBe(false);
    expect(await isTokenValid(harness, next.access_token)).toBe(true);
    await revoke(clientId, next.refresh_token);
    expect(await isTokenValid(harness, next.access_token)).toBe(false);
  });

  it('of a frozen account gives no access', async () => {
    const frozen = await harness.person();
    const { access } = await connect(harness, frozen);
    await harness.runtime.sql`update accounts set frozen_at = now() where id = ${frozen.accountId}`;
    expect(await isTokenValid(harness, access)).toBe(false);
  });
});

describe('an authorization request', () => {
  it('without a verified client and redirect URI is refused without a redirect', async () => {
    const { challenge } = newPkce();
    const { client_id: clientId } = await register(harness);
    for (const changed of [
      { client_id: undefined },
      { client_id: 'oac_unknown' },
      { client_id: ['a', 'b'] },
      { redirect_uri: '' },
      { redirect_uri: 'https://evil.example/callback' },
      { redirect_uri: `${REDIRECT}/../evil` },
      { redirect_uri: `${REDIRECT}?x=1` },
      { redirect_uri: `${REDIRECT}/` },
      { redirect_uri: 'https://chat.example:8443/callback' },
      { redirect_uri: 'https://chat.example.evil.example/callback' },
      { redirect_uri: 'https://chat.example@evil.example/callback' },
      { redirect_uri: 'javascript:alert(1)' },
      { redirect_uri: [REDIRECT, 'https://evil.example'] },
    ]) {
      const request = buildAuthorizationRequest(clientId, challenge, changed);
      expect((await describeAs(request)).kind, JSON.stringify(changed)).toBe('refused');
      await expect(
        approveRequest(harness.runtime, createSessionActor(person), { request, credits: null }),
      ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  });

  it('with another error is refused; a link reports the error to the application, with state and issuer', async () => {
    const { challenge } = newPkce();
    const { client_id: clientId } = await register(harness);
    for (const [changed, error] of [
      [{ code_challenge: undefined }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ response_type: undefined }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
      [{ scope: ['tools', 'tools'] }, 'invalid_request'],
    ] as const) {
      const request = buildAuthorizationRequest(clientId, challenge, changed as AuthorizationRequest);
      const outcome = await describeAs(request);
      if (outcome.kind !== 'faulty') throw new Error(`${JSON.stringify(changed)}: ${outcome.kind}`);
      const url = new URL(outcome.return_url);
      expect(url.origin + url.pathname).toBe(REDIRECT);
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        error,
        state: 'its state',
        iss: harness.runtime.settings.baseUrl,
      });
      await expect(
        approveRequest(harness.runtime, createSessionActor(person), { request, credits: null }),
      ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  });

  it('may redirect to any port of the loopback address, but to no other host, path or scheme', async () => {
    const registered = ['http://127.0.0.1:3000/callback'];
    const { exchange } = await waitingCode(registered, 'http://127.0.0.1:49152/callback');
    expect((await exchange({ redirect_uri: 'http://127.0.0.1:49153/callback' })).status).toBe(400);
    expect((await exchange()).status).toBe(200);
    const { client_id: clientId } = await register(harness, { redirect_uris: registered });
    for (const redirect of [
      'http://127.0.0.1:3000/other',
      'http://localhost:3000/callback',
      'https://127.0.0.1:3000/callback',
      'http://127.0.0.1:3000@evil.example/callback',
      'http://127.0.0.1.evil.example:3000/callback',
    ]) {
      const request = buildAuthorizationRequest(clientId, newPkce().challenge, { redirect_uri: redirect });
      expect((await describeAs(request)).kind, redirect).toBe('refused');
    }
  });
});
