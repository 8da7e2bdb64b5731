import { writeAudit } from '../../core/audit/audit';
import { runOnce, saveResponseOrThrow } from '../../core/idempotency/run-once';
import { actorName } from '../../core/trpc/actor';
import type { AccountContext } from '../../core/trpc/context';
import { chooseKeyAccount } from './choose-key-account';
import { describeKey } from './describe-key';
import { keyNotFound } from './key-errors';
import { generateKey } from './key-format';
import type { CreatedApiKey } from './schema';
import { replaceSecret } from './store';

interface Rotation {
  id: string;
  grace_seconds?: number | undefined;
}

/**
 * Gives a key a new secret; its id, history and limits stay. The secret is returned only once; a
 * replayed response has the mask instead.
 * @throws GatewayError NOT_FOUND, also for a revoked key or a key of another account; FORBIDDEN
 *   for a member of the team that owns it
 */
export async function rotateKey(context: AccountContext, wanted: Rotation): Promise<CreatedApiKey> {
  return await runOnce<CreatedApiKey>(context, { operation: 'keys.rotate', body: wanted }, async (claim) => {
    const { runtime, actor } = context;
    const { id, grace_seconds: graceSeconds = 0 } = wanted;
    const { secret, hash: keyHash, mask } = generateKey();
    const row = await runtime.db.transaction(async (tx) => {
      const { id: accountId } = await chooseKeyAccount(tx, actor, id, 'change');
      const rotated = await replaceSecret(tx, { accountId, id, keyHash, mask, graceSeconds });
      if (!rotated) throw keyNotFound();
      await writeAudit(tx, {
        actor: actorName(actor),
        action: 'key.rotate',
        accountId,
        target: id,
        details: { grace_seconds: graceSeconds },
      });
      await saveResponseOrThrow(tx, claim, { status: 200, body: describeKey(rotated) });
      return rotated;
    });
    return { ...describeKey(row), secret };
  });
}
