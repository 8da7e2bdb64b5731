import { asToolFailure, SkillError } from '../../core/errors/skill-error';
import type { OutboundInit } from '../../platform/ports/outbound-fetch';

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Requests a path (with its query) of one origin. */
export type SendRequest = (path: string, init?: OutboundInit) => Promise<Response>;

/**
 * Concatenates an origin and a path. Resolving `//evil.example/x` against the origin would lead to
 * another host. Pure.
 */
export function joinUrl(origin: string, path: string): URL {
  return new URL(`${origin}${path}`);
}

export interface Bounds {
  maxBytes: number;
  timeoutMs: number;
}

/**
 * Restricts requests to one origin: an upstream cannot send the gateway, or a credential, anywhere
 * else (threats C11, C13). Redirects within the origin are followed for GET and HEAD only.
 * @throws SkillError with a message for the caller
 */
export function pinnedFetch(origin: string, ask: SendRequest, { maxBytes, timeoutMs }: Bounds) {
  return async (target: string | URL, init: RequestInit = {}): Promise<Response> => {
    let url = target instanceof URL ? target : new URL(target);
    for (let redirects = 0; ; redirects++) {
      if (url.origin !== origin)
        throw new SkillError(`${new URL(origin).host} refers to another host, which is not contacted.`);
      const path = `${url.pathname}${url.search}`;
      const response = await ask(path, { maxBytes, timeoutMs, ...init, redirect: 'manual' }).catch(
        (error) => {
          throw asToolFailure(error);
        },
      );
      if (!REDIRECTS.has(response.status)) return response;
      await response.body?.cancel().catch(() => undefined);
      const location = response.headers.get('location');
      const follows =
        ['GET', 'HEAD'].includes((init.method ?? 'GET').toUpperCase()) && redirects < MAX_REDIRECTS;
      if (!follows || location === null || !URL.canParse(location, url))
        throw new SkillError(`${url.host} responded with a redirect that is not followed.`);
      url = new URL(location, url);
    }
  };
}
