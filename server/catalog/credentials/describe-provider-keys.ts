import type { ProviderKey } from '../../core/errors/schema';
import type { Runtime } from '../../core/runtime';
import type { AnyProviderName } from '../../platform/settings/providers';

/** Describes keys of providers, of which any one is enough, and the header that carries each. */
export function describeProviderKeys(
  { slots: registry }: Pick<Runtime, 'slots'>,
  slots: readonly AnyProviderName[],
): ProviderKey[] {
  return slots.map((name) => {
    const { displayName, acquireUrl } = registry.get(name).provider;
    return { name, displayName, acquireUrl, header: getProviderHeader(name) };
  });
}

/** Returns the header that carries a key of the provider. */
export function getProviderHeader(slot: string): string {
  return `X-Provider-Key-${slot}`;
}
