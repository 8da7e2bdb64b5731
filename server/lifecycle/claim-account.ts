import type { Executor } from '@/db/client';
import { writeAudit } from '../core/audit/audit';
import { claimRequired } from '../core/claims/claim-url';
import { accountFrozen } from '../core/errors/account-frozen';
import { GatewayError } from '../core/errors/gateway-error';
import { actorName } from '../core/trpc/actor';
import type { AccountContext } from '../core/trpc/context';
import { findClaimable } from '../identity/accounts/find-claimable';
import type { ClaimRequest, ClaimResult } from '../identity/accounts/schema';
import {
  findClaimedCredit,
  listKeysClaimedFrom,
  lockAccountKeys,
  markClaimed,
  moveAccountData,
} from '../identity/accounts/store';
import { describeKey } from '../identity/keys/describe-key';
import { usdFromMicrousd } from '../kit/money';
import { lockAccounts, transferClaimed } from '../money/billing/ledger';
import { movePayments } from '../money/payments/move-payments';
import { emitWebhook } from '../platform/webhooks/emit-webhook';

/**
 * Moves a provisional account's keys, balance, history and reviews to the caller's account; the
 * keys keep working. Works once; the same person who repeats it gets the same result.
 * @throws GatewayError NOT_FOUND for an unknown token; CLAIM_CONFLICT if another account has
 *   claimed it; RATE_LIMIT_EXCEEDED after too many wrong tokens from the client's network;
 *   FORBIDDEN if it is frozen
 */
export async function claimAccount(
  context: Pick<AccountContext, 'runtime' | 'actor' | 'clientIp'>,
  { token, manages_account: managesAccount = false }: ClaimRequest,
): Promise<ClaimResult> {
  const { runtime, actor } = context;
  if (actor.accountType === 'provisional')
    throw await claimRequired(
      runtime,
      actor.accountId,
      'Only a full account can claim: use one of its keys, or sign in.',
    );
  const found = await findClaimable(context, token);
  if (!found)
    throw new GatewayError('NOT_FOUND', { message: 'There is no account to claim with this token.' });

  await runtime.db.transaction(async (tx) => {
    const keys = await lockAccountKeys(tx, found.id);
    const locked = await lockAccounts(tx, [found.id, actor.accountId]);
    const from = locked.find((account) => account.id === found.id);
    const into = locked.find((account) => account.id === actor.accountId);
    // Deleted concurrently: claimed keys would work without an owner.
    if (!into || into.closedAt) throw new GatewayError('AUTH_FAILED');
    if (!from) throw new GatewayError('NOT_FOUND');
    if (from.claimedAt) {
      if (from.claimedByAccountId !== actor.accountId) throw new GatewayError('CLAIM_CONFLICT');
      return;
    }
    if (from.frozenAt) throw accountFrozen();
    for (const key of keys) await emitKeyClaimed(tx, key, { fromId: from.id, toId: into.id });
    await moveAccountData(tx, from.id, actor.accountId, managesAccount);
    const moved = await transferClaimed(tx, from, actor.accountId);
    await movePayments(tx, from.id, actor.accountId);
    await markClaimed(tx, from.id, actor.accountId);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'account.claim',
      accountId: actor.accountId,
      target: from.id,
      details: { credits_moved_usd: usdFromMicrousd(moved), manages_account: managesAccount },
    });
  });

  const keys = await listKeysClaimedFrom(runtime.db, found.id);
  return {
    account_id: actor.accountId,
    keys_moved: keys.map(describeKey),
    credits_moved_usd: usdFromMicrousd(await findClaimedCredit(runtime.db, found.id)),
  };
}

/** Reports the claim to the endpoints of both accounts, before any of them move. */
async function emitKeyClaimed(
  tx: Executor,
  key: { id: string; name: string; mask: string },
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  const data = {
    key_id: key.id,
    name: key.name,
    key_prefix: key.mask,
    account_id: toId,
    claimed_from: fromId,
  };
  for (const accountId of [fromId, toId])
    await emitWebhook(tx, { accountId, type: 'key.claimed', data, dedupe: key.id });
}
