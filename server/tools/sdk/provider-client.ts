import { createHash } from 'node:crypto';
import type { AnySlot, Provider } from '../../platform/settings/providers';
import type { ProviderClient } from './skill-context';

interface ProviderAccess {
  slot: AnySlot;
  /** The headers that carry the key. */
  authorize: Provider['authorize'];
  /** Scheme, host and, where the operator has one, a path before the API's own. */
  baseUrl: string;
  key: string;
  isOwn: boolean;
  /** Who asks, where several share the credential: the names that they give to requests are kept apart by it. */
  tenant?: string;
  fetch: typeof globalThis.fetch;
  /** Told when the credential is about to leave with a request. */
  onUse?: () => void;
}

/**
 * A client of one provider. The key goes out in the headers that this provider takes it in, to its base address and to
 * nowhere else: a path that would lead away is refused.
 */
export function createProviderClient({
  slot,
  authorize,
  baseUrl,
  key,
  isOwn,
  tenant,
  fetch,
  onUse,
}: ProviderAccess): ProviderClient {
  const base = new URL(baseUrl);
  return {
    slot,
    isOwn,
    async fetch(path, init = {}) {
      const url = new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base);
      if (!path.startsWith('/') || url.origin !== base.origin)
        throw new Error(`The path ${path} leaves the provider`);
      const headers = new Headers(init.headers);
      for (const [name, value] of Object.entries(authorize(key))) headers.set(name, value);
      const name = headers.get('Idempotency-Key');
      if (name !== null && tenant !== undefined) headers.set('Idempotency-Key', nameOf(tenant, name));
      onUse?.();
      return await fetch(url, { ...init, headers });
    },
  };
}

/** At the provider the credential is one customer: what one client calls "invoice-1" is not another's. */
function nameOf(tenant: string, name: string): string {
  return createHash('sha256').update(`${tenant}:${name}`).digest('hex');
}
