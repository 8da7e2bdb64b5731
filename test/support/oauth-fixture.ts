import { createHash, randomBytes } from 'node:crypto';
import { appRouter } from '@/server/api/root';
import { t } from '@/server/core/trpc/init';
import { approveRequest } from '@/server/identity/oauth/approve-request';
import { findGrant } from '@/server/identity/oauth/find-grant';
import type { AuthorizationRequest } from '@/server/identity/oauth/schema';
import { newId } from '@/server/kit/ids';
import type { Answer, Harness } from './harness';
import { createSessionActor } from './session-actor';

export const REDIRECT = 'https://chat.example/callback';

type Person = { userId: string; accountId: string };
type Fields = Record<string, string | undefined>;

/** Creates a PKCE verifier and its challenge. */
export function newPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Posts a form to an OAuth endpoint; undefined fields are left out. */
export function postForm(
  harness: Harness,
  path: string,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const sent = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  return harness.request('POST', path, {
    raw: new URLSearchParams(sent).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

/** Registers an application like a chat application does, each from a new IP address. */
export async function register(harness: Harness, metadata: object = {}): Promise<Answer['body']> {
  const { body } = await harness.request('POST', '/oauth/register', {
    json: {
      client_name: 'Chat',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      ...metadata,
    },
    ip: `10.${randomBytes(3).join('.')}`,
  });
  return body;
}

/** Builds an authorization request as in the query of the consent page. */
export function buildAuthorizationRequest(
  clientId: string,
  challenge: string,
  changed: AuthorizationRequest = {},
): AuthorizationRequest {
  return {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    state: 'its state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changed,
  };
}

/** Approves an application. @returns the authorization code of the redirect */
export async function approveApplication(
  harness: Harness,
  person: Person,
  request: AuthorizationRequest,
  credits: number | null = null,
): Promise<string> {
  const { url } = await approveRequest(harness.runtime, createSessionActor(person), { request, credits });
  return new URL(url).searchParams.get('code') ?? '';
}

/** Connects an application to a person's account, from registration to tokens. */
export async function connect(harness: Harness, person: Person, credits: number | null = null) {
  const clientId: string = (await register(harness)).client_id;
  const { verifier, challenge } = newPkce();
  const code = await approveApplication(
    harness,
    person,
    buildAuthorizationRequest(clientId, challenge),
    credits,
  );
  const exchange: Fields = {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT,
  };
  const { body } = await postForm(harness, '/oauth/token', exchange);
  const access: string = body.access_token;
  const refresh: string = body.refresh_token;
  return { clientId, exchange, access, refresh };
}

/** Exchanges a refresh token. */
export function refreshWith(harness: Harness, clientId: string, refresh: string): Promise<Answer> {
  return postForm(harness, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refresh,
  });
}

const createCaller = t.createCallerFactory(appRouter);

/** Creates a caller with an access token, like the one of MCP; null if the token is invalid. */
export async function createTokenCaller(harness: Harness, access: string) {
  const grant = await findGrant(harness.runtime, access);
  return (
    grant &&
    createCaller({
      runtime: harness.runtime,
      requestId: newId('request'),
      clientIp: '127.0.0.1',
      credentials: { kind: 'grant', ...grant },
      providerKeys: new Map(),
      userAgent: null,
      signal: () => new AbortController().signal,
      reply: { headers: {} },
      transport: 'rest',
    })
  );
}

/** Whether an access token is still valid. */
export async function isTokenValid(harness: Harness, access: string): Promise<boolean> {
  const caller = await createTokenCaller(harness, access);
  return (
    caller !== null &&
    (await caller.billing.balance().then(
      () => true,
      () => false,
    ))
  );
}
