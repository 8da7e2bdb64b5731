import { asToolFailure, SkillError } from '../../core/errors/skill-error';
import type { OutboundInit } from '../../platform/ports/outbound-fetch';

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** A request of a path (with its query) of one origin. */
export type AskPath = (path: string, init?: OutboundInit) => Promise<Response>;

/**
 * Where a path is at an origin. Resolved against it, `//evil.example/x` would be another host's.
 * Pure.
 */
export function urlAt(origin: string, path: string): URL {
  return new URL(`${origin}${path}`);
}

export interface Bounds {
  maxBytes: number;
  timeoutMs: number;
}

/**
 * Requests to one origin and to no other: a stranger may not send us, or a credential, anywhere
 * else (threats C11, C13). Redirects within it are followed where nothing is sent.
 * @throws SkillError in words for a caller
 */
export function pinnedFetch(origin: string, ask: AskPath, bounds: Bounds) {
  return async (target: string | URL, init: RequestInit = {}): Promise<Response> => {
    let url = new URL(target);
    for (let redirects = 0; ; redirects++) {
      if (url.origin !== origin)
        throw new SkillError(`${new URL(origin).host} leads to another host, which is not asked.`);
      const path = `${url.pathname}${url.search}`;
      const response = await ask(path, { ...init, ...bounds, redirect: 'manual' }).catch((error) => {
        throw asToolFailure(error);
      });
      if (!REDIRECTS.has(response.status)) return response;
      await response.body?.cancel().catch(() => undefined);
      const location = response.headers.get('location');
      const follows =
        ['GET', 'HEAD'].includes((init.method ?? 'GET').toUpperCase()) && redirects < MAX_REDIRECTS;
      if (!follows || location === null || !URL.canParse(location, url))
        throw new SkillError(`${url.host} redirects, which is not followed here.`);
      url = new URL(location, url);
    }
  };
}
