import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** A running OpenID Connect provider. */
export interface OidcProvider {
  issuer: string;
  /** The settings of a gateway that trusts it. */
  settings: Record<'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_NAME', string>;
  close(): Promise<void>;
}

/** What the person chose on the provider's page, with the request that led there. */
interface Grant {
  email: string;
  verified: boolean;
  nonce: string;
  challenge: string;
  redirectUri: string;
}

const CLIENT = { id: 'gateway', secret: 'secret-of-the-oidc-client' };
const FIELDS = ['state', 'nonce', 'code_challenge', 'redirect_uri'];

/**
 * Starts a provider with the authorization code flow: PKCE is required, ID tokens are signed with
 * RS256. On its page, a person types any address, and can choose that it is not verified or that
 * the ID token gets a wrong nonce.
 */
export async function startOidcProvider(): Promise<OidcProvider> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const grants = new Map<string, Grant>();
  let issuer = '';

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer);
    const form = request.method === 'POST' ? new URLSearchParams(await readText(request)) : null;
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /.well-known/openid-configuration':
        return sendJson(response, 200, describe(issuer));
      case 'GET /jwks':
        return sendJson(response, 200, { keys: [jwk] });
      case 'GET /authorize':
        return sendPage(response, url.searchParams);
      case 'POST /authorize':
        return sendBack(response, form ?? url.searchParams, grants);
      case 'POST /token':
        return sendJson(response, ...(await exchange(request, form ?? url.searchParams)));
      default:
        return sendJson(response, 404, { error: 'not_found' });
    }
  }

  async function exchange(request: IncomingMessage, form: URLSearchParams): Promise<[number, object]> {
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const basic = Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64');
    if (request.headers.authorization !== `Basic ${basic}`) return [401, { error: 'invalid_client' }];
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || verifier !== grant.challenge || form.get('redirect_uri') !== grant.redirectUri)
      return [400, { error: 'invalid_grant' }];
    const { email, verified, nonce } = grant;
    const idToken = await new SignJWT({ email, email_verified: verified, nonce, name: 'Person at work' })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(CLIENT.id)
      .setSubject(`sub of ${email}`)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey);
    return [200, { access_token: randomBytes(8).toString('hex'), token_type: 'Bearer', id_token: idToken }];
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => sendJson(response, 500, { error: String(error) }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_NAME: 'Example ID',
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function describe(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  };
}

function sendPage(response: ServerResponse, query: URLSearchParams): void {
  const hidden = FIELDS.map(
    (name) => `<input type="hidden" name="${name}" value="${escapeHtml(query.get(name))}">`,
  );
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><html lang="en"><title>Example ID</title><h1>Example ID</h1>
<form method="post" action="/authorize">${hidden.join('')}
<label>Email <input name="email"></label>
<label><input type="checkbox" name="unverified"> Not verified</label>
<label><input type="checkbox" name="wrong_nonce"> Wrong nonce</label>
<button>Continue</button></form>`);
}

function sendBack(response: ServerResponse, form: URLSearchParams, grants: Map<string, Grant>): void {
  const [state = '', nonce = '', challenge = '', redirectUri = ''] = FIELDS.map(
    (name) => form.get(name) ?? '',
  );
  const code = randomBytes(16).toString('hex');
  grants.set(code, {
    email: form.get('email') ?? '',
    verified: !form.has('unverified'),
    nonce: form.has('wrong_nonce') ? 'another nonce' : nonce,
    challenge,
    redirectUri,
  });
  const query = new URLSearchParams({ code, state });
  response.writeHead(303, { location: `${redirectUri}?${query}` }).end();
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function escapeHtml(text: string | null): string {
  return (text ?? '').replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
