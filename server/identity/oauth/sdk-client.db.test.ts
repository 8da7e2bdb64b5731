import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { approveRequest } from './approve-request';
import { disconnect } from './disconnect';
import { listConnections } from './list-connections';

const REDIRECT = 'http://127.0.0.1:9/callback';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ listen: true });
});
afterAll(() => harness.close());

/** A chat application with the official SDK; it stores its state in memory. */
class Application implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { client_name: 'SDK application', redirect_uris: [REDIRECT] };
  sentTo: URL | undefined;
  #client: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0] | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;

  state = () => 'state of the application';
  clientInformation = () => this.#client;
  tokens = () => this.#tokens;
  codeVerifier = () => this.#verifier;
  discoveryState = () => this.#discovered;
  saveDiscoveryState = (discovered: OAuthDiscoveryState) => {
    this.#discovered = discovered;
  };
  saveClientInformation: NonNullable<OAuthClientProvider['saveClientInformation']> = (client) => {
    this.#client = client;
  };
  saveTokens = (tokens: StoredOAuthTokens) => {
    this.#tokens = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.sentTo = url;
  };
  invalidateCredentials = () => {
    this.#tokens = undefined;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
}

/** Creates an unconnected client. */
function atAddress(address: string, authProvider: Application) {
  const transport = new StreamableHTTPClientTransport(new URL(address), { authProvider });
  return { client: new Client({ name: 'chat', version: '1.0.0' }), transport };
}

it('the official SDK, given only /mcp?auth=required, discovers, registers, gets approved and then calls tools as the person', async () => {
  const { runtime, baseUrl } = harness;
  const person = await harness.person(1_000_000n);
  const application = new Application();
  const begin = () => atAddress(`${baseUrl}/mcp?auth=required`, application);
  const spend = {
    name: 'call_tool',
    arguments: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25 } },
  };

  // The first request starts the authorization.
  const first = begin();
  await expect(first.client.connect(first.transport)).rejects.toThrow(UnauthorizedError);
  const asked = application.sentTo;
  expect(asked?.href.startsWith(`${baseUrl}/oauth/authorize?`)).toBe(true);
  expect(asked?.searchParams.get('resource')).toBe(`${baseUrl}/mcp`);
  expect(asked?.searchParams.get('code_challenge_method')).toBe('S256');

  const request = Object.fromEntries(asked?.searchParams ?? []);
  const { url } = await approveRequest(runtime, createSessionActor(person), { request, credits: 0.6 });
  const callback = new URL(url).searchParams;
  expect(callback.get('state')).toBe('state of the application');
  await first.transport.finishAuth(callback);
  await first.client.close();

  const { client, transport } = begin();
  await client.connect(transport);
  const result = await client.callTool(spend);
  expect(result.structuredContent).toMatchObject({ status: 'success', usage: { cost: 0.25 } });

  // After an hour, the SDK refreshes the token without the person.
  const before = application.tokens();
  await runtime.sql`update oauth_tokens set expires_at = now() where kind = 'access'`;
  expect((await client.callTool(spend)).structuredContent).toMatchObject({ status: 'success' });
  expect(application.tokens()?.access_token).not.toBe(before?.access_token);

  // The person's limit applies over MCP as over REST.
  const refused = await client.callTool(spend);
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused)).toContain('INSUFFICIENT_CREDITS');
  const balance = await harness.request('GET', '/v1/billing/balance', { key: person.key });
  expect(balance.body.available_usd).toBe(0.5);

  // After disconnecting, its next request and its refresh token are refused.
  const { connections } = await listConnections(runtime, createSessionActor(person));
  expect(connections).toMatchObject([{ name: 'SDK application', credits: 0.1, credits_used: 0.5 }]);
  await disconnect(runtime, createSessionActor(person), connections[0]?.id ?? '');
  await expect(client.callTool(spend)).rejects.toThrow();
  await client.close();
});

it('/mcp refuses an invalid token with 401 on every method, and names the metadata URL', async () => {
  const answer = await harness.request('POST', '/mcp', {
    key: `tg_oat_${'a'.repeat(43)}`,
    json: { jsonrpc: '2.0', id: 1, method: 'ping' },
    headers: { host: new URL(harness.baseUrl).host, accept: 'application/json, text/event-stream' },
  });
  expect(answer.status).toBe(401);
  expect(answer.headers['www-authenticate']).toMatch(/error="invalid_token"/);
  expect(answer.headers['www-authenticate']).toContain(
    `resource_metadata="${harness.baseUrl}/.well-known/oauth-protected-resource/mcp"`,
  );
});

it('metadata contains only URLs of the gateway, whatever Host header a request has', async () => {
  const { baseUrl } = harness;
  for (const path of ['', '/mcp']) {
    const document = await harness.request('GET', `/.well-known/oauth-protected-resource${path}`, {
      headers: { host: 'evil.example' },
    });
    expect(document.headers['access-control-allow-origin']).toBe('*');
    expect(document.body).toMatchObject({
      resource: baseUrl + path,
      authorization_servers: [baseUrl],
      scopes_supported: ['tools'],
    });
  }
  const server = await harness.request('GET', '/.well-known/oauth-authorization-server');
  expect(server.body).toMatchObject({
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
  const other = await harness.request('GET', '/.well-known/oauth-protected-resource/v1');
  expect(other).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  expect((await harness.request('POST', '/.well-known/oauth-authorization-server')).status).toBe(405);
});
