import { GatewayError } from '../../core/errors/gateway-error';
import type { HttpRequest } from '../../core/http/message';
import type { Runtime } from '../../core/runtime';
import type { Credentials } from '../../core/trpc/context';
import { findGrant, isAccessToken } from '../../identity/oauth/find-grant';

/**
 * What the client of MCP presents, as `Authorization: Bearer …`: the API key of REST (tg_live_), or the access token of an
 * application that a person has let in (tg_oat_), which is good nowhere else. Sessions of MCP and cookies are no credentials.
 * @throws GatewayError AUTH_FAILED where an access token does not hold: the client is to refresh it
 */
export async function readCredentials(
  request: Pick<HttpRequest, 'header'>,
  runtime: Runtime,
): Promise<Credentials> {
  const authorization = request.header('authorization')?.trim() ?? '';
  if (authorization === '' || /^bearer$/i.test(authorization)) return { kind: 'none' };
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) return { kind: 'malformed' };
  if (!isAccessToken(token)) return { kind: 'bearer', token };
  const grant = await findGrant(runtime, token);
  if (!grant)
    throw new GatewayError('AUTH_FAILED', {
      message: 'The access token is not valid: it has expired or was taken back.',
      hint: 'Refresh it at /oauth/token, or ask the person again.',
    });
  return { kind: 'grant', ...grant };
}
