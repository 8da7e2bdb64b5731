import { writeAudit } from '../../core/audit/audit';
import { claimRequired } from '../../core/claims/claim-url';
import { GatewayError } from '../../core/errors/gateway-error';
import { actorName } from '../../core/trpc/actor';
import type { AccountContext } from '../../core/trpc/context';
import { newId } from '../../kit/ids';
import { lockAccounts } from '../../money/billing/ledger';
import { findValueProblem, maskProviderKey } from './credential-value';
import { describeAccountRequirement, resolveProvider } from './describe-requirement';
import type { AccountRequirement, SaveCredentialInput } from './schema';
import { savedContext } from './seal-context';
import { type CredentialRow, clearDefault, listProviderCredentials, upsertCredential } from './store';

/** Saved values per provider and account. */
export const MAX_VALUES = 10;
const FIRST_LABEL = 'default';

/**
 * Saves a provider key in the caller's account, sealed. An existing label gets the new value. The
 * first value of a provider becomes the default.
 * @throws GatewayError NOT_FOUND, CLAIM_REQUIRED, FORBIDDEN, INVALID_INPUT
 */
export async function saveCredential(
  { runtime, actor }: Pick<AccountContext, 'runtime' | 'actor'>,
  input: SaveCredentialInput,
): Promise<AccountRequirement> {
  const slot = resolveProvider(runtime, input.name);
  const { accountId } = actor;
  if (actor.accountType === 'provisional')
    throw await claimRequired(runtime, accountId, 'Saving provider keys needs a claimed account.');
  const problem = findValueProblem(runtime.slots.get(slot).provider, input.value);
  if (problem) throw invalidField('value', problem);

  const rows = await runtime.db.transaction(async (tx) => {
    // Serialized, because the version is part of what is sealed. The lock also prevents saving into
    // an account that is being closed.
    const [account] = await lockAccounts(tx, [accountId]);
    if (!account || account.closedAt) throw new GatewayError('AUTH_REQUIRED');
    const saved = await listProviderCredentials(tx, accountId, slot);
    const label = resolveLabel(input.label, saved);
    const old = saved.find((row) => row.label === label);
    if (!old && saved.length >= MAX_VALUES)
      throw invalidField(
        'label',
        `At most ${MAX_VALUES} keys of a provider can be saved: remove one, or replace one by its label.`,
      );
    const isDefault = saved.length === 0 || old?.isDefault === true || input.is_default === true;
    if (isDefault && !old?.isDefault) await clearDefault(tx, accountId, slot);
    const bound = { accountId, slot, id: old?.id ?? newId('credential'), version: (old?.version ?? 0) + 1 };
    await upsertCredential(tx, {
      ...bound,
      label,
      isDefault,
      sealed: runtime.ports.vault.seal(input.value, savedContext(bound)),
      vaultKeyId: runtime.ports.vault.keyId,
      mask: maskProviderKey(input.value),
    });
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'credential.save',
      accountId,
      target: bound.id,
      details: { slot, label, version: bound.version, is_default: isDefault },
    });
    return await listProviderCredentials(tx, accountId, slot);
  });
  return describeAccountRequirement(runtime, slot, rows);
}

/**
 * Without a label, the value is the first one or replaces the only one, so that PUT can be
 * repeated.
 */
function resolveLabel(label: string | undefined, saved: readonly CredentialRow[]): string {
  if (label !== undefined) return label;
  const others = saved.filter((row) => row.label !== FIRST_LABEL).map((row) => `"${row.label}"`);
  if (others.length === 0) return FIRST_LABEL;
  throw invalidField('label', `Name the key to replace: ${others.join(', ')}. A new label adds a key.`);
}

function invalidField(path: string, message: string): GatewayError {
  return new GatewayError('INVALID_INPUT', {
    message: `${path}: ${message}`,
    details: { fields: [{ path, message }] },
  });
}
