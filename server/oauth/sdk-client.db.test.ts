import { auth, type OAuthClientProvider, type StoredOAuthTokens } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '../testing/harness';
import { isGood } from '../testing/oauth-world';
import { sessionOf } from '../testing/session-of';
import { approveRequest } from './approve-request';

const REDIRECT = 'http://127.0.0.1:9/callback';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ listen: true });
});
afterAll(() => harness.close());

/** A chat application: what the official SDK leaves to it, it keeps in memory. */
class Application implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { client_name: 'SDK application', redirect_uris: [REDIRECT] };
  sentTo: URL | undefined;
  #client: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0] | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = '';

  state = () => 'state of the application';
  clientInformation = () => this.#client;
  tokens = () => this.#tokens;
  codeVerifier = () => this.#verifier;
  saveClientInformation: NonNullable<OAuthClientProvider['saveClientInformation']> = (client) => {
    this.#client = client;
  };
  saveTokens = (tokens: StoredOAuthTokens) => {
    this.#tokens = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.sentTo = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
}

it('the official SDK, given only the address of /mcp, finds out, registers, asks, gets tokens and renews them', async () => {
  const { runtime, baseUrl } = harness;
  const person = await harness.person(1_000_000n);
  const application = new Application();
  const serverUrl = `${baseUrl}/mcp`;

  expect(await auth(application, { serverUrl })).toBe('REDIRECT');
  const asked = application.sentTo;
  expect(asked?.href.startsWith(`${baseUrl}/oauth/authorize?`)).toBe(true);
  expect(asked?.searchParams.get('resource')).toBe(serverUrl);
  expect(asked?.searchParams.get('code_challenge_method')).toBe('S256');

  const request = Object.fromEntries(asked?.searchParams ?? []);
  const { url } = await approveRequest(runtime, sessionOf(person), { request, credits: 1 });
  const callback = new URL(url).searchParams;
  expect(callback.get('state')).toBe('state of the application');
  const answer = { authorizationCode: callback.get('code') ?? '', iss: callback.get('iss') ?? '' };
  expect(await auth(application, { serverUrl, ...answer })).toBe('AUTHORIZED');
  const first = application.tokens();
  expect(await isGood(harness, first?.access_token ?? '')).toBe(true);

  expect(await auth(application, { serverUrl })).toBe('AUTHORIZED');
  const second = application.tokens();
  expect(second?.access_token).not.toBe(first?.access_token);
  expect(await isGood(harness, second?.access_token ?? '')).toBe(true);
});

it('metadata names addresses of the gateway itself, whatever Host a request brings', async () => {
  const { baseUrl } = harness;
  for (const path of ['', '/mcp']) {
    const document = await harness.ask('GET', `/.well-known/oauth-protected-resource${path}`, {
      headers: { host: 'evil.example' },
    });
    expect(document.headers['access-control-allow-origin']).toBe('*');
    expect(document.body).toMatchObject({
      resource: baseUrl + path,
      authorization_servers: [baseUrl],
      scopes_supported: ['tools'],
    });
  }
  const server = await harness.ask('GET', '/.well-known/oauth-authorization-server');
  expect(server.body).toMatchObject({
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
  const other = await harness.ask('GET', '/.well-known/oauth-protected-resource/v1');
  expect(other).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  expect((await harness.ask('POST', '/.well-known/oauth-authorization-server')).status).toBe(405);
});
