import type { Actor } from '../auth/actor';
import { actorName } from '../auth/actor';
import { lockAccounts, transferClaimed } from '../billing/ledger';
import { usdFromMicrousd } from '../billing/money';
import { GatewayError } from '../errors/gateway-error';
import { describeKey } from '../keys/describe-key';
import type { Runtime } from '../runtime';
import { writeAudit } from './audit';
import { hashClaimToken } from './claim-token';
import { claimRequired } from './claim-url';
import type { ClaimResult } from './schema';
import {
  findAccountByClaimHash,
  findClaimedCredit,
  listKeysClaimedFrom,
  lockKeysOf,
  markClaimed,
  moveBelongings,
} from './store';

/**
 * Moves all of a provisional account into the asker's: keys keep working, and balance, history and reviews come along.
 * Once; again by the same person it answers the same result.
 * @throws GatewayError NOT_FOUND for an unknown token, CLAIM_CONFLICT where someone else has claimed it
 */
export async function claimAccount(runtime: Runtime, actor: Actor, token: string): Promise<ClaimResult> {
  if (actor.accountType === 'provisional')
    throw await claimRequired(
      runtime,
      actor.accountId,
      'Only a full account can claim: use its key, or sign in.',
    );
  const found = await findAccountByClaimHash(runtime.db, hashClaimToken(token));
  if (!found) throw new GatewayError('NOT_FOUND', { message: 'No key waits to be claimed with this token.' });

  await runtime.db.transaction(async (tx) => {
    await lockKeysOf(tx, found.id);
    const locked = await lockAccounts(tx, [found.id, actor.accountId]);
    const from = locked.find((account) => account.id === found.id);
    if (!from) throw new GatewayError('NOT_FOUND');
    if (from.claimedAt) {
      if (from.claimedByAccountId !== actor.accountId) throw new GatewayError('CLAIM_CONFLICT');
      return;
    }
    if (from.frozenAt) throw new GatewayError('FORBIDDEN', { message: 'This account is frozen.' });
    await moveBelongings(tx, from.id, actor.accountId);
    const moved = await transferClaimed(tx, from, actor.accountId);
    await markClaimed(tx, from.id, actor.accountId);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'account.claim',
      accountId: actor.accountId,
      target: from.id,
      details: { credits_moved_usd: usdFromMicrousd(moved) },
    });
  });

  const keys = await listKeysClaimedFrom(runtime.db, found.id);
  return {
    account_id: actor.accountId,
    keys_moved: keys.map(describeKey),
    credits_moved_usd: usdFromMicrousd(await findClaimedCredit(runtime.db, found.id)),
  };
}
