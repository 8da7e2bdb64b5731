import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import {
  approveApplication,
  buildAuthorizationRequest,
  isTokenValid,
  newPkce,
  postForm,
  register,
} from '@/test/support/oauth-fixture';
import { createSessionActor } from '@/test/support/session-actor';
import type { OutboundFetch } from '../../platform/ports/outbound-fetch';
import { describeRequest } from './describe-request';

const DOCUMENT = 'https://editor.example/oauth/client.json';
const LOOPBACK = 'http://127.0.0.1:33418/';

/** The only reachable site: its response, and the number of requests it got. */
const site = { asked: 0, status: 200, body: {} as unknown };
const outbound: OutboundFetch = async (address, init) => {
  site.asked += 1;
  expect(String(address)).toBe(DOCUMENT);
  expect(init?.redirect).toBe('error');
  return new Response(typeof site.body === 'string' ? site.body : JSON.stringify(site.body), {
    status: site.status,
  });
};

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ ports: { outbound } });
});
afterAll(() => harness.close());

const post = (json: unknown, ip = '192.0.2.1') => harness.request('POST', '/oauth/register', { json, ip });

describe('registration', () => {
  it('responds as RFC 7591 requires, and issues a secret unless the client is public', async () => {
    const plain = await post({ redirect_uris: ['https://a.example/cb'] });
    expect(plain.status).toBe(201);
    expect(plain.headers['cache-control']).toBe('no-store');
    expect(plain.body).toMatchObject({
      client_id: expect.stringMatching(/^oac_/),
      client_secret: expect.stringMatching(/^tg_ocs_/),
      client_secret_expires_at: 0,
      client_name: 'a.example',
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'tools',
    });
    const chat = await post({
      redirect_uris: ['cursor://anysphere.cursor-retrieval/oauth/callback'],
      token_endpoint_auth_method: 'none',
      client_name: 'Cursor',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      logo_uri: 'https://a.example/logo.png',
      software_id: 'x',
    });
    expect(chat.status).toBe(201);
    expect(chat.body.client_secret).toBeUndefined();
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'http://evil.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://localhost@evil.example/cb',
    'https://a.example/cb#fragment',
    'https://user:pw@a.example/cb',
    'https:a',
    'https://',
    'myapp://callback',
    '//a.example/cb',
    '/cb',
    '',
    'https://a.example/\u0000',
    'https://a.example/cb\nx',
    'https://a.example\\@evil.example',
    `https://a.example/${'a'.repeat(1024)}`,
  ])('refuses the redirect URI %j', async (uri) => {
    const answer = await post({ redirect_uris: ['https://a.example/cb', uri] });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } });
  });

  it('limits the size, number and values of the metadata', async () => {
    const redirect_uris = ['https://a.example/cb'];
    const cases: [unknown, number, string][] = [
      [{}, 400, 'invalid_redirect_uri'],
      [{ redirect_uris: [] }, 400, 'invalid_redirect_uri'],
      [{ redirect_uris: Array(11).fill('https://a.example/cb') }, 400, 'invalid_redirect_uri'],
      [{ redirect_uris, client_name: 'x'.repeat(2000) }, 400, 'invalid_client_metadata'],
      [{ redirect_uris, client_name: 5 }, 400, 'invalid_client_metadata'],
      [{ redirect_uris, grant_types: ['client_credentials'] }, 400, 'invalid_client_metadata'],
      [{ redirect_uris, response_types: ['token'] }, 400, 'invalid_client_metadata'],
      [{ redirect_uris, token_endpoint_auth_method: 'private_key_jwt' }, 400, 'invalid_client_metadata'],
      [[], 400, 'invalid_client_metadata'],
      [null, 400, 'invalid_client_metadata'],
    ];
    for (const [json, status, error] of cases)
      expect(await post(json), JSON.stringify(json)).toMatchObject({ status, body: { error } });
    expect((await post({ redirect_uris, client_name: 'x'.repeat(20_000) })).status).toBe(413);
    const raw = { headers: { 'content-type': 'text/plain' }, raw: '{}' };
    expect((await harness.request('POST', '/oauth/register', raw)).body.error).toBe(
      'invalid_client_metadata',
    );
    expect((await harness.request('GET', '/oauth/register')).status).toBe(405);
  });

  it('is limited to 20 per hour and client address', async () => {
    const json = { redirect_uris: ['https://a.example/cb'] };
    const statuses = [];
    for (let i = 0; i < 21; i++) statuses.push((await post(json, '198.51.100.7')).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    const last = await post(json, '198.51.100.7');
    expect(last).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED' } } });
    expect(last.headers['ratelimit-policy']).toBe('"oauth-register";q=20;w=3600');
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    expect((await post(json, '198.51.100.8')).status).toBe(201);
  });

  it('stores a name as one line of visible text', async () => {
    const name = async (client_name: string) => (await register(harness, { client_name })).client_name;
    expect(await name('<script>alert(1)</script>')).toBe('<script>alert(1)</script>');
    expect(await name('Chat\n\u202eevil\u0000\u200b  App')).toBe('Chat evil App');
    expect([...(await name('🙂'.repeat(200)))]).toHaveLength(80);
    expect(await name('\u200b ')).toBe('chat.example');
    expect(await name('\u3164\u115f\uffa0\u2800')).toBe('chat.example');
  });
});

describe('a client with a metadata document', () => {
  const facts = {
    client_id: DOCUMENT,
    client_name: 'Editor',
    client_uri: 'https://editor.example/',
    redirect_uris: [LOOPBACK, 'https://editor.example/redirect'],
    token_endpoint_auth_method: 'none',
  };
  const ask = async (clientId = DOCUMENT, changed = {}) => {
    const request = buildAuthorizationRequest(clientId, newPkce().challenge, {
      redirect_uri: LOOPBACK,
      ...changed,
    });
    return await describeRequest(harness.runtime, createSessionActor(await harness.person()), request);
  };

  it('is described as in its document, which is fetched once an hour', async () => {
    Object.assign(site, { asked: 0, body: facts });
    expect(await ask()).toMatchObject({
      kind: 'asked',
      application: {
        name: 'Editor',
        document_host: 'editor.example',
        uri: 'https://editor.example/',
        place: { kind: 'computer' },
      },
    });
    expect((await ask(DOCUMENT, { redirect_uri: 'http://127.0.0.1:5000/' })).kind).toBe('asked');
    expect((await ask(DOCUMENT, { redirect_uri: 'https://evil.example/' })).kind).toBe('refused');
    expect(site.asked).toBe(1);
    // While it cannot be fetched, the stored document stays valid.
    await harness.runtime.sql`update oauth_clients set document_read_at = now() - interval '2 hours'`;
    site.status = 500;
    expect((await ask()).kind).toBe('asked');
    await harness.runtime.sql`update oauth_clients set document_read_at = now() - interval '25 hours'`;
    expect(await ask()).toMatchObject({ kind: 'refused', problem: expect.stringContaining('status 500') });
    site.status = 200;
    Object.assign(site, { body: { ...facts, redirect_uris: ['https://editor.example/redirect'] } });
    expect((await ask()).kind).toBe('refused');
  });

  it('can be approved on several machines of a person, each with its own grant', async () => {
    Object.assign(site, { body: facts });
    await harness.runtime.sql`update oauth_clients set document_read_at = now() - interval '2 hours'`;
    const person = await harness.person();
    const tokens = [];
    for (let machine = 0; machine < 2; machine++) {
      const { verifier, challenge } = newPkce();
      const code = await approveApplication(
        harness,
        person,
        buildAuthorizationRequest(DOCUMENT, challenge, { redirect_uri: LOOPBACK }),
      );
      const form = { grant_type: 'authorization_code', client_id: DOCUMENT, code, code_verifier: verifier };
      tokens.push((await postForm(harness, '/oauth/token', form)).body.access_token);
    }
    expect(await Promise.all(tokens.map((token) => isTokenValid(harness, token)))).toEqual([true, true]);
  });

  it.each([
    [{ ...facts, client_id: 'https://other.example/client.json' }, 'client_id is not its own address'],
    [{ ...facts, redirect_uris: ['javascript:alert(1)'] }, 'no usable redirect URI'],
    [{ ...facts, redirect_uris: [] }, 'not valid client metadata'],
    [{ ...facts, token_endpoint_auth_method: 'private_key_jwt' }, 'only "none" is supported'],
    [{ ...facts, client_secret: 'x' }, 'not valid client metadata'],
    ['<html>', 'not JSON'],
    ['null', 'not valid client metadata'],
  ])('is refused with the unusable document %j', async (body, words) => {
    await harness.runtime.sql`update oauth_clients set document_read_at = now() - interval '2 days'`;
    Object.assign(site, { status: 200, body });
    expect(await ask()).toMatchObject({ kind: 'refused', problem: expect.stringContaining(words) });
  });

  it('is refused if the client_id is not a normalized URL', async () => {
    const { asked } = site;
    for (const id of [
      'http://editor.example/client.json',
      'https://editor.example',
      'https://editor.example/',
      'https://editor.example/a/../client.json',
      'https://editor.example/client.json#x',
      'https://user@editor.example/client.json',
      'https://EDITOR.example/client.json',
      `https://editor.example/${'a'.repeat(600)}`,
    ])
      expect((await ask(id)).kind, id).toBe('refused');
    expect(site.asked).toBe(asked);
  });

  it('is limited to thirty fetches per person and hour', async () => {
    const person = await harness.person();
    Object.assign(site, { status: 404 });
    await harness.runtime.sql`update oauth_clients set document_read_at = now() - interval '2 days'`;
    const request = buildAuthorizationRequest(DOCUMENT, newPkce().challenge, { redirect_uri: LOOPBACK });
    const again = () => describeRequest(harness.runtime, createSessionActor(person), request);
    for (let i = 0; i < 30; i++) await again();
    await expect(again()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });
});
