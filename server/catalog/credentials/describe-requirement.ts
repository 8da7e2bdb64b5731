import { GatewayError } from '../../core/errors/gateway-error';
import { unknownName } from '../../core/errors/unknown-name';
import type { Runtime } from '../../core/runtime';
import type { AnyProviderName } from '../../platform/settings/providers';
import type { AccountRequirement, Requirement } from './schema';
import type { CredentialRow } from './store';

/** Describes a provider whose keys calls can use, for any client. */
export function describeRequirement(
  runtime: Pick<Runtime, 'catalog' | 'slots'>,
  slot: AnyProviderName,
): Requirement {
  const { displayName, description, acquireUrl, setupGuide } = runtime.slots.get(slot).provider;
  const registeredBy = runtime.catalog
    .list({ limit: Number.MAX_SAFE_INTEGER })
    .filter((tool) => tool.skills.some((skill) => skill.requirements?.includes(slot)))
    .map((tool) => tool.name);
  return { name: slot, type: 'api_key', displayName, description, acquireUrl, setupGuide, registeredBy };
}

/** Describes a provider with the values that one account has saved, masked. */
export function describeAccountRequirement(
  runtime: Pick<Runtime, 'catalog' | 'slots'>,
  slot: AnyProviderName,
  rows: readonly CredentialRow[],
): AccountRequirement {
  return {
    ...describeRequirement(runtime, slot),
    configured: rows.length > 0,
    entries: rows.map((row) => ({
      label: row.label,
      masked: row.mask,
      is_default: row.isDefault,
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
      last_used_at: row.lastUsedAt?.toISOString() ?? null,
    })),
  };
}

/**
 * Finds a provider by a client's input.
 * @throws GatewayError NOT_FOUND, also for names that every object has (threats D2)
 */
export function resolveProvider({ slots }: Pick<Runtime, 'slots'>, name: string): AnyProviderName {
  const entry = slots.find(name);
  if (entry) return entry.slot;
  throw new GatewayError('NOT_FOUND', {
    message: unknownName(
      'requirement',
      name,
      slots.all().map(({ slot }) => slot),
    ),
    hint: 'GET /v1/requirements lists them.',
  });
}
