import type { TRPCClient } from '@trpc/client';
import type { AppRouter } from '@/server/api/root';

const METHODS = { query: 'query', mutate: 'mutation' } as const;

/** tRPC's client, whose code is fetched with the first request. */
export function createLazyClient(): TRPCClient<AppRouter> {
  // The proxy has every property that the type has: tRPC's own client is such a proxy too.
  return proxy([]) as TRPCClient<AppRouter>;
}

/** @param path the names so far, such as `['keys', 'create']` */
function proxy(path: readonly string[]): unknown {
  return new Proxy(() => {}, {
    get: (_, name) => (typeof name === 'string' ? proxy([...path, name]) : undefined),
    apply: async (_, __, [input, options]: [unknown, { signal?: AbortSignal }?]) => {
      const method = path.at(-1);
      if (method !== 'query' && method !== 'mutate') throw new TypeError(`No method ${path.join('.')}.`);
      const { client } = await import('./trpc-client');
      return await client[METHODS[method]](path.slice(0, -1).join('.'), input, options);
    },
  });
}
