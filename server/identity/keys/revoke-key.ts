import { writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { type Actor, actorName } from '../../core/trpc/actor';
import { keyNotFound } from './get-key';
import { revokeLiveKey } from './store';

/**
 * Revokes a key. New requests are refused at once; running calls finish and are charged.
 * @throws GatewayError NOT_FOUND, also for a key of another account or one already revoked
 */
export async function revokeKey(
  runtime: Pick<Runtime, 'db'>,
  actor: Actor,
  id: string,
): Promise<{ success: true; id: string }> {
  await runtime.db.transaction(async (tx) => {
    const row = await revokeLiveKey(tx, actor.accountId, id);
    if (!row) throw keyNotFound();
    await writeAudit(tx, {
      actor: { name: actorName(actor), requestId: actor.kind === 'operator' ? actor.requestId : undefined },
      action: 'key.revoke',
      accountId: actor.accountId,
      target: id,
    });
  });
  return { success: true, id };
}
