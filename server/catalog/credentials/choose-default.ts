import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { type Actor, actorName } from '../../core/trpc/actor';
import { lockAccounts } from '../../money/billing/ledger';
import { describeAccountRequirement, resolveProvider } from './describe-requirement';
import type { AccountRequirement } from './schema';
import { clearDefault, listProviderCredentials, makeDefault } from './store';

/**
 * Sets which saved value of a provider calls use. Running calls keep theirs.
 * @throws GatewayError NOT_FOUND for an unknown name or label
 */
export async function chooseDefault(
  runtime: Pick<Runtime, 'catalog' | 'db' | 'slots'>,
  actor: Actor,
  { name, label }: { name: string; label: string },
): Promise<AccountRequirement> {
  const slot = resolveProvider(runtime, name);
  const { accountId } = actor;
  const rows = await runtime.db.transaction(async (tx) => {
    await lockAccounts(tx, [accountId]);
    const saved = await listProviderCredentials(tx, accountId, slot);
    const chosen = saved.find((row) => row.label === label);
    if (!chosen) throw new GatewayError('NOT_FOUND', { message: 'No saved value has this label.' });
    if (chosen.isDefault) return saved;
    await clearDefault(tx, accountId, slot);
    await makeDefault(tx, accountId, chosen.id);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'credential.default',
      accountId,
      target: chosen.id,
      details: { slot, label },
    });
    return await listProviderCredentials(tx, accountId, slot);
  });
  return describeAccountRequirement(runtime, slot, rows);
}
