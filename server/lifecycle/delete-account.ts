import { eq, sql } from 'drizzle-orm';
import { accounts } from '@/db/schema/accounts';
import {
  emailChanges,
  identities,
  secondFactors,
  sessions,
  users,
  verificationTokens,
} from '@/db/schema/auth';
import { reviews } from '@/db/schema/reviews';
import { signUpInvitations } from '@/db/schema/sign-up';
import { hideAccountAssets } from '../assets/hide-account-assets';
import { forgetContents } from '../calls/contents/forget-contents';
import { forgetCredentials } from '../catalog/credentials/forget-credentials';
import { writeAudit } from '../core/audit/audit';
import { GatewayError } from '../core/errors/gateway-error';
import type { Runtime } from '../core/runtime';
import { actorName, type SessionActor } from '../core/trpc/actor';
import { deletePayloads, deleteRefusals, forgetAddresses } from '../identity/accounts/store';
import { requireFactor } from '../identity/factor/check-code';
import { lockOwnedKeys, revokeKeysOf } from '../identity/keys/own-keys';
import { forgetGrants } from '../identity/oauth/forget-grants';
import { leaveAllTeams } from '../identity/teams/leave-all-teams';
import { lockWithTeams } from '../identity/teams/lock-with-teams';
import { usdFromMicrousd } from '../kit/money';
import { requireClosable } from '../money/billing/require-closable';
import { forgetDetails } from '../money/invoices/forget-details';
import { expireCheckouts } from '../money/payments/expire-checkouts';
import { forgetCard } from '../money/payments/forget-card';
import { requireNoOpenPayment } from '../money/payments/require-no-open-payment';
import { forgetWebhooks } from '../notifications/webhooks/forget-webhooks';
import { sendSecurityEmail } from '../platform/email/send-security-email';
import { findEmail } from './export-store';

/**
 * Deletes the person's account: access, personal data and content at once, files and the client
 * addresses of calls with the next sweep. The ledger and history stay; credit is not paid out.
 * Running calls finish and are charged.
 * @param code of the second factor, if it is on
 * @throws GatewayError INVALID_INPUT without that code; FORBIDDEN while it has a debt, a dispute or
 *   a pending payment, or while they own a team with other members or one that cannot be closed
 * @throws PaymentsUnavailable
 */
export async function deleteAccount(
  runtime: Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'>,
  actor: SessionActor,
  code?: string,
): Promise<{ success: true }> {
  const email = await findEmail(runtime.db, actor.userId);
  if (email === null) throw new GatewayError('AUTH_FAILED');
  await requireFactor(runtime, { userId: actor.userId, email }, code);
  await expireCheckouts(runtime, actor.accountId);
  await runtime.db.transaction(async (tx) => {
    await forgetGrants(tx, actor.userId);
    await lockOwnedKeys(tx, actor.userId);
    const { own, teams } = await lockWithTeams(tx, actor);
    requireClosable(own, 'your account');
    await requireNoOpenPayment(tx, runtime, actor.accountId);
    await leaveAllTeams(tx, actor, teams);
    await revokeKeysOf(tx, actor.accountId);
    await tx
      .update(accounts)
      .set({ closedAt: sql`now()`, name: 'Deleted account' })
      .where(eq(accounts.id, actor.accountId));
    await deletePayloads(tx, actor.accountId);
    await tx.delete(reviews).where(eq(reviews.accountId, actor.accountId));
    await hideAccountAssets(tx, actor.accountId);
    await forgetContents(tx, actor.accountId);
    await forgetAddresses(tx, actor.accountId);
    await deleteRefusals(tx, actor.accountId);
    await forgetCard(tx, actor.accountId);
    await forgetDetails(tx, actor.accountId);
    await forgetWebhooks(tx, actor.accountId);
    const providerKeys = await forgetCredentials(tx, actor.accountId);
    await tx.delete(sessions).where(eq(sessions.userId, actor.userId));
    await tx.delete(secondFactors).where(eq(secondFactors.userId, actor.userId));
    await tx.delete(emailChanges).where(eq(emailChanges.userId, actor.userId));
    await tx.delete(identities).where(eq(identities.userId, actor.userId));
    const address = sql`(select u.email from users u where u.id = ${actor.userId})`;
    await tx.delete(signUpInvitations).where(sql`${signUpInvitations.email} = ${address}`);
    await tx.delete(verificationTokens).where(sql`${verificationTokens.identifier} = ${address}`);
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
  sendSecurityEmail(runtime, {
    to: email,
    subject: 'Your account was deleted',
    body: ['Your keys have stopped working, and your name and email address were deleted.'],
    action: { button: 'What was deleted', url: `${runtime.settings.baseUrl}/goodbye` },
    note: `If this was not you, write to ${runtime.settings.operatorEmail}. The deletion cannot be undone.`,
  });
  return { success: true };
}
