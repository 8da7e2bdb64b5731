import type { Runtime } from '../../core/runtime';
import { findClient } from './find-client';
import { isChallenge } from './pkce';
import { appendResponse, isRegisteredRedirect } from './redirect-uri';
import { getResource, isGatewayResource } from './resource';
import type { AuthorizationRequest } from './schema';
import type { ClientRow } from './store';

/** A valid request, ready for the person's decision. */
export interface CheckedRequest {
  client: ClientRow;
  redirectUri: string;
  challenge: string;
  /** Builds the redirect URL for a response; adds `state` and `iss` (RFC 9207). */
  answer(fields: Readonly<Record<string, string>>): string;
}

/** The result of checking an authorization request. */
export type RequestOutcome =
  /**
   * No redirect is allowed: the client or its redirect URI is not verified (RFC 6749 section
   * 4.1.2.1).
   */
  | { kind: 'refused'; problem: string }
  /**
   * The error may be sent to the application, but only when the person clicks: anyone can register
   * one (RFC 9700 section 4.11.2).
   */
  | { kind: 'faulty'; problem: string; client: ClientRow; redirectUri: string; returnUrl: string }
  | { kind: 'asked'; request: CheckedRequest };

/**
 * Checks an authorization request: first the client and its redirect URI, then the parameters.
 * @throws GatewayError RATE_LIMIT_EXCEEDED
 */
export async function checkRequest(
  runtime: Pick<Runtime, 'db' | 'ports' | 'settings'>,
  userId: string,
  asked: AuthorizationRequest,
): Promise<RequestOutcome> {
  const { baseUrl } = runtime.settings;
  const clientId = single(asked.client_id);
  if (!clientId)
    return { kind: 'refused', problem: 'The request does not name an application: client_id is missing.' };
  const found = await findClient(runtime, userId, clientId);
  if ('problem' in found) return { kind: 'refused', problem: found.problem };
  const { client } = found;
  const redirectUri = chooseRedirectUri(client, asked);
  if ('problem' in redirectUri) return { kind: 'refused', problem: redirectUri.problem };
  const { uri } = redirectUri;
  const state = single(asked.state) ?? undefined;
  const answer: CheckedRequest['answer'] = (fields) =>
    appendResponse(uri, { ...fields, state, iss: baseUrl });
  const fault = findRequestError(asked, baseUrl);
  if (fault)
    return {
      kind: 'faulty',
      problem: fault.description,
      client,
      redirectUri: uri,
      returnUrl: answer({ error: fault.error, error_description: fault.description }),
    };
  const challenge = single(asked.code_challenge) ?? '';
  return { kind: 'asked', request: { client, redirectUri: uri, challenge, answer } };
}

/** Returns the value of a parameter; null if it is missing, empty or repeated. */
function single(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function chooseRedirectUri(
  client: ClientRow,
  asked: AuthorizationRequest,
): { uri: string } | { problem: string } {
  const { redirectUris } = client;
  if (asked.redirect_uri === undefined) {
    const [only, ...others] = redirectUris;
    return only !== undefined && others.length === 0
      ? { uri: only }
      : { problem: 'The redirect_uri is missing, and the application has registered more than one.' };
  }
  const uri = single(asked.redirect_uri);
  return uri !== null && isRegisteredRedirect(redirectUris, uri)
    ? { uri }
    : { problem: 'The redirect_uri is not one that the application has registered.' };
}

interface RequestError {
  error: 'invalid_request' | 'unsupported_response_type' | 'invalid_target';
  description: string;
}

/** RFC 6749 section 4.1.2.1 limits the characters of a description: ASCII without quotes. */
function findRequestError(asked: AuthorizationRequest, baseUrl: string): RequestError | null {
  const { resource, ...others } = asked;
  const twice = Object.entries(others).find(([, value]) => Array.isArray(value));
  if (twice) return invalid(`${twice[0]} may appear only once.`);
  if (!single(asked.response_type)) return invalid('response_type is missing.');
  if (asked.response_type !== 'code')
    return { error: 'unsupported_response_type', description: 'The response_type must be code.' };
  const challenge = single(asked.code_challenge);
  if (!challenge) return invalid('code_challenge is missing: PKCE is required.');
  if (asked.code_challenge_method !== 'S256') return invalid('The code_challenge_method must be S256.');
  if (!isChallenge(challenge)) return invalid('code_challenge must be a SHA-256 hash in base64url.');
  const targets = resource === undefined ? [] : [resource].flat();
  if (targets.some((target) => !isGatewayResource(baseUrl, target)))
    return { error: 'invalid_target', description: `The resource must be ${getResource(baseUrl)}` };
  return null;
}

function invalid(description: string): RequestError {
  return { error: 'invalid_request', description };
}
