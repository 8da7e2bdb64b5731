import type { HttpRequest } from '../http/message';
import type { Runtime } from '../runtime';
import type { Credentials } from '../trpc/context';

/**
 * What the client of MCP presents: the API key of REST, as `Authorization: Bearer tg_live_…`. Sessions of MCP and cookies
 * are no credentials.
 */
export async function readCredentials(
  request: Pick<HttpRequest, 'header'>,
  _runtime: Runtime,
): Promise<Credentials> {
  const authorization = request.header('authorization')?.trim() ?? '';
  if (authorization === '' || /^bearer$/i.test(authorization)) return { kind: 'none' };
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  return token === undefined ? { kind: 'malformed' } : { kind: 'bearer', token };
}
