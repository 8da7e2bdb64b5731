import { createHash } from 'node:crypto';
import type { AnyProviderName, Provider } from '../../platform/settings/providers';
import type { ProviderClient } from './skill-context';

interface ProviderAccess {
  slot: AnyProviderName;
  /** Builds the headers that carry the key. */
  authorize: Provider['authorize'];
  /** Scheme, host and, if the operator sets one, a path before that of the API. */
  baseUrl: string;
  key: string;
  isByok: boolean;
  /** Who uses a shared credential; keeps the idempotency keys of different users apart. */
  tenant?: string | undefined;
  fetch: typeof globalThis.fetch;
  /** Called before the credential is sent with a request. */
  onUse?: () => void;
}

/**
 * Creates a client of one provider. The key is sent only to the provider's base URL.
 * @throws {Error} from `fetch`, if a path leads to another origin
 */
export function createProviderClient({
  slot,
  authorize,
  baseUrl,
  key,
  isByok,
  tenant,
  fetch,
  onUse,
}: ProviderAccess): ProviderClient {
  const base = new URL(baseUrl);
  return {
    slot,
    isByok: isByok,
    async fetch(path, init = {}) {
      const url = new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base);
      if (!path.startsWith('/') || url.origin !== base.origin)
        throw new Error(`The path ${path} leads to another origin than the provider's`);
      const headers = new Headers(init.headers);
      for (const [name, value] of Object.entries(authorize(key))) headers.set(name, value);
      const name = headers.get('Idempotency-Key');
      if (name !== null && tenant !== undefined)
        headers.set('Idempotency-Key', scopeIdempotencyKey(tenant, name));
      onUse?.();
      return await fetch(url, { ...init, headers });
    },
  };
}

/**
 * Users of a shared credential are one customer at the provider, so the tenant makes keys unique.
 */
function scopeIdempotencyKey(tenant: string, name: string): string {
  return createHash('sha256').update(`${tenant}:${name}`).digest('hex');
}
