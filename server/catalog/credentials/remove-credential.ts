import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { type Actor, actorName } from '../../core/trpc/actor';
import { lockAccounts } from '../../money/billing/ledger';
import { resolveProvider } from './describe-requirement';
import type { RemoveCredentialInput } from './schema';
import { deleteCredentials, listProviderCredentials, makeDefault } from './store';

/**
 * Deletes a saved value, or without a label all of the provider's. If the default goes, the oldest
 * other value becomes it. Running calls keep their value.
 * @throws GatewayError NOT_FOUND for an unknown name or label, or if nothing is saved
 */
export async function removeCredential(
  runtime: Pick<Runtime, 'db' | 'slots'>,
  actor: Actor,
  { name, label }: RemoveCredentialInput,
): Promise<{ success: true; name: string }> {
  const slot = resolveProvider(runtime, name);
  const { accountId } = actor;
  await runtime.db.transaction(async (tx) => {
    await lockAccounts(tx, [accountId]);
    const saved = await listProviderCredentials(tx, accountId, slot);
    const going = label === undefined ? saved : saved.filter((row) => row.label === label);
    if (going.length === 0)
      throw new GatewayError('NOT_FOUND', {
        message: label === undefined ? 'Nothing is saved under this name.' : 'No saved value has this label.',
        hint: 'GET /v1/account/requirements lists what is saved.',
      });
    await deleteCredentials(
      tx,
      accountId,
      going.map(({ id }) => id),
    );
    const [oldest] = saved.filter((row) => !going.includes(row));
    if (oldest && going.some(({ isDefault }) => isDefault)) await makeDefault(tx, accountId, oldest.id);
    for (const row of going)
      await writeAudit(tx, {
        actor: actorName(actor),
        action: 'credential.remove',
        accountId,
        target: row.id,
        details: { slot, label: row.label },
      });
  });
  return { success: true, name: slot };
}
