import { eq, sql } from 'drizzle-orm';
import { accounts } from '@/db/schema/accounts';
import { identities, sessions, users } from '@/db/schema/auth';
import { apiKeys } from '@/db/schema/keys';
import { reviews } from '@/db/schema/reviews';
import { hideAccountAssets } from '../assets/hide-account-assets';
import { forgetCredentials } from '../catalog/credentials/forget-credentials';
import { writeAudit } from '../core/audit/audit';
import type { Runtime } from '../core/runtime';
import { actorName, type SessionActor } from '../core/trpc/actor';
import { deletePayloads, lockAccountKeys } from '../identity/accounts/store';
import { forgetGrants } from '../identity/oauth/forget-grants';
import { leaveAllTeams } from '../identity/teams/leave-all-teams';
import { lockWithTeams } from '../identity/teams/lock-with-teams';
import { usdFromMicrousd } from '../kit/money';
import { requireClosable } from '../money/billing/require-closable';
import { expireCheckouts } from '../money/payments/expire-checkouts';
import { forgetCard } from '../money/payments/forget-card';
import { requireNoOpenPayment } from '../money/payments/require-no-open-payment';
import { forgetWebhooks } from '../platform/webhooks/forget-webhooks';

/**
 * Deletes the person's account: access, personal data and content at once, files with the next
 * sweep. The ledger and history stay; credit is not paid out. Running calls finish and are charged.
 * @throws GatewayError FORBIDDEN while it has a debt, a dispute or a pending payment, or while they
 *   own a team with other members or one that cannot be closed
 * @throws PaymentsUnavailable
 */
export async function deleteAccount(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  actor: SessionActor,
): Promise<{ success: true }> {
  await expireCheckouts(runtime, actor.accountId);
  await runtime.db.transaction(async (tx) => {
    await forgetGrants(tx, actor.userId);
    await lockAccountKeys(tx, actor.accountId);
    const { own, teams } = await lockWithTeams(tx, actor);
    requireClosable(own, 'your account');
    await requireNoOpenPayment(tx, runtime, actor.accountId);
    await leaveAllTeams(tx, actor, teams);
    await tx
      .update(apiKeys)
      .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, now())` })
      .where(eq(apiKeys.accountId, actor.accountId));
    await tx
      .update(accounts)
      .set({ closedAt: sql`now()`, name: 'Deleted account' })
      .where(eq(accounts.id, actor.accountId));
    await deletePayloads(tx, actor.accountId);
    await tx.delete(reviews).where(eq(reviews.accountId, actor.accountId));
    await hideAccountAssets(tx, actor.accountId);
    await forgetCard(tx, actor.accountId);
    await forgetWebhooks(tx, actor.accountId);
    const providerKeys = await forgetCredentials(tx, actor.accountId);
    await tx.delete(sessions).where(eq(sessions.userId, actor.userId));
    await tx.delete(identities).where(eq(identities.userId, actor.userId));
    await tx
      .update(users)
      .set({ name: null, image: null, emailVerified: null, email: `${actor.userId}@deleted.invalid` })
      .where(eq(users.id, actor.userId));
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'account.delete',
      accountId: actor.accountId,
      details: { credit_left_usd: usdFromMicrousd(own.balanceMicrousd), provider_keys: providerKeys },
    });
  });
  return { success: true };
}
