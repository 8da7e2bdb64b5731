import { GatewayError } from '../../core/errors/gateway-error';
import type { HttpRequest } from '../../core/http/message';
import type { Runtime } from '../../core/runtime';
import type { Credentials } from '../../core/trpc/context';
import { findGrant, isAccessToken } from '../../identity/oauth/find-grant';
import { findMisplacedKey, findUnmarkedKey } from '../http/misplaced-key';

/**
 * Reads `Authorization: Bearer …` of an MCP client: an API key as on REST (tg_live_), or an OAuth
 * access token of an application (tg_oat_), which is valid only here. MCP sessions and cookies are
 * not credentials.
 * @throws GatewayError AUTH_FAILED if an access token is not valid; the client should refresh it
 */
export async function readCredentials(
  request: Pick<HttpRequest, 'header' | 'target'>,
  runtime: Pick<Runtime, 'db'>,
): Promise<Credentials> {
  const authorization = request.header('authorization')?.trim() ?? '';
  if (authorization === '' || /^bearer$/i.test(authorization))
    return findMisplacedKey(request, true) ?? { kind: 'none' };
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) return findUnmarkedKey(authorization) ?? { kind: 'malformed' };
  if (!isAccessToken(token)) return { kind: 'bearer', token };
  const grant = await findGrant(runtime, token);
  if (!grant)
    throw new GatewayError('AUTH_FAILED', {
      message: 'The access token is not valid: it has expired or was revoked.',
      hint: 'Refresh it at /oauth/token, or ask the user to authorise the application again.',
    });
  return { kind: 'grant', ...grant };
}
