import { writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { type Actor, actorName } from '../../core/trpc/actor';
import { chooseKeyAccount } from './choose-key-account';
import { keyNotFound } from './key-errors';
import { revokeLiveKey } from './store';

/**
 * Revokes a key. New requests are refused at once; running calls finish and are charged.
 * @throws GatewayError NOT_FOUND, also for a key of another account or one already revoked;
 *   FORBIDDEN for a member of the team that owns it
 */
export async function revokeKey(
  runtime: Pick<Runtime, 'db'>,
  actor: Actor,
  id: string,
): Promise<{ success: true; id: string }> {
  await runtime.db.transaction(async (tx) => {
    const account = await chooseKeyAccount(tx, actor, id, 'change');
    const row = await revokeLiveKey(tx, account.id, id);
    if (!row) throw keyNotFound();
    await writeAudit(tx, {
      actor: { name: actorName(actor), requestId: actor.kind === 'operator' ? actor.requestId : undefined },
      action: 'key.revoke',
      accountId: account.id,
      target: id,
    });
  });
  return { success: true, id };
}
