import { z } from 'zod';
import { fieldError } from '../../core/errors/field-errors';
import { GatewayError } from '../../core/errors/gateway-error';
import { clientSubject } from '../../core/limits/client-subject';
import { policy, rateHeaders } from '../../core/limits/rate-headers';
import { takeFromWindow } from '../../core/limits/store';
import type { Runtime } from '../../core/runtime';
import type { Reply } from '../../core/trpc/context';
import { newId } from '../../kit/ids';
import { cleanClientName } from './client-name';
import { readHomePage } from './home-page';
import { OAuthError } from './oauth-error';
import { hashToken, newToken } from './oauth-token';
import { findRedirectProblem, toPlace } from './redirect-uri';
import { SCOPE } from './resource';
import { insertClient } from './store';

const REGISTRATIONS_PER_HOUR = 20;
const HOUR_SECONDS = 3600;
const MAX_REDIRECT_URIS = 10;
const MAX_TEXT_LENGTH = 1024;

const METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const;
const names = z.array(z.string().max(200)).max(20);

/**
 * The fields of RFC 7591 section 2 that this gateway uses. Other fields are ignored, as it allows.
 */
const registrationSchema = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  client_name: z.string().max(MAX_TEXT_LENGTH).optional(),
  client_uri: z.string().max(MAX_TEXT_LENGTH).optional(),
  token_endpoint_auth_method: z.enum(METHODS).default('client_secret_basic'),
  grant_types: names.default(['authorization_code']),
  response_types: names.default(['code']),
});

/** The response of RFC 7591 section 3.2.1. */
export interface RegisteredClient {
  client_id: string;
  client_id_issued_at: number;
  client_secret?: string;
  client_secret_expires_at?: 0;
  client_name: string;
  client_uri?: string;
  redirect_uris: string[];
  token_endpoint_auth_method: (typeof METHODS)[number];
  grant_types: string[];
  response_types: string[];
  scope: string;
}

/**
 * Registers a client (RFC 7591). Registration is open to anyone, as chat applications require, and
 * grants nothing: access needs a person's consent.
 * @throws OAuthError invalid_redirect_uri, invalid_client_metadata; GatewayError
 *   RATE_LIMIT_EXCEEDED per client address
 */
export async function registerClient(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  { clientIp, reply }: { clientIp: string; reply: Reply },
  body: unknown,
): Promise<RegisteredClient> {
  const wanted = readRegistration(body);
  await consumeRegistrationQuota(runtime, clientIp, reply);
  const { token_endpoint_auth_method: method, redirect_uris: redirectUris } = wanted;
  const secret = method === 'none' ? null : newToken('clientSecret');
  const row = await insertClient(runtime.db, {
    id: newId('oauthClient'),
    name: wanted.name,
    redirectUris,
    uri: wanted.uri,
    secretHash: secret === null ? null : hashToken(secret),
  });
  return {
    client_id: row.id,
    client_id_issued_at: Math.floor(row.createdAt.getTime() / 1000),
    ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    client_name: row.name,
    ...(row.uri === null ? {} : { client_uri: row.uri }),
    redirect_uris: redirectUris,
    token_endpoint_auth_method: method,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: SCOPE,
  };
}

function readRegistration(body: unknown) {
  const read = registrationSchema.safeParse(body);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue?.path.join('.') ?? '';
    throw new OAuthError(
      field.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      issue && field !== ''
        ? fieldError(issue).message
        : 'The body must be a JSON object of client metadata.',
    );
  }
  const wanted = read.data;
  for (const uri of wanted.redirect_uris) {
    const problem = findRedirectProblem(uri);
    if (problem) throw new OAuthError('invalid_redirect_uri', problem);
  }
  if (!wanted.grant_types.includes('authorization_code') || !wanted.response_types.includes('code'))
    throw new OAuthError(
      'invalid_client_metadata',
      'Only the authorization code flow is supported: grant_types must include authorization_code, and response_types code.',
    );
  const name = cleanClientName(wanted.client_name ?? '') ?? deriveName(wanted.redirect_uris);
  return { ...wanted, name, uri: readHomePage(wanted.client_uri) };
}

/** Names an application that sent no name after the host of its redirect URI. */
function deriveName([first = '']: readonly string[]): string {
  const place = toPlace(first);
  return place.kind === 'web' ? place.host : 'Unnamed application';
}

async function consumeRegistrationQuota(
  { db, settings }: Pick<Runtime, 'db' | 'settings'>,
  clientIp: string,
  reply: Reply,
): Promise<void> {
  const taken = await takeFromWindow(db, {
    scope: 'oauth-register',
    subject: clientSubject(settings.claimSecret, clientIp),
    quota: REGISTRATIONS_PER_HOUR,
    seconds: HOUR_SECONDS,
  });
  Object.assign(
    reply.headers,
    rateHeaders([
      policy('oauth-register', REGISTRATIONS_PER_HOUR, HOUR_SECONDS, taken.used, taken.resetSeconds),
    ]),
  );
  if (!taken.taken)
    throw new GatewayError('RATE_LIMIT_EXCEEDED', {
      message: 'Too many applications were registered from this address.',
      hint: `Use the client_id you have, or wait ${taken.resetSeconds} seconds.`,
      details: { limit: 'hour', retry_after: taken.resetSeconds },
    });
}
