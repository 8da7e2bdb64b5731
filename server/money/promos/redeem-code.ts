import type { Executor } from '@/db/client';
import { writeAudit } from '../../core/audit/audit';
import { accountFrozen } from '../../core/errors/account-frozen';
import { invalidFields } from '../../core/errors/field-errors';
import { GatewayError } from '../../core/errors/gateway-error';
import { emailSubject, networkSubject } from '../../core/limits/client-subject';
import { takeFromWindow } from '../../core/limits/store';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { newId } from '../../kit/ids';
import { usdFromMicrousd } from '../../kit/money';
import { type ChosenAccount, chooseAccount } from '../billing/choose-account';
import { PROMO_PREFIX } from '../billing/get-statement';
import { enableLowBalanceAlert, grantCredit, lockAccounts } from '../billing/ledger';
import { getPromoState } from './manage-promos';
import { maskCode } from './mask-code';
import type { Redeemed } from './schema';
import { hasRedeemed, insertRedemption, isNewPerson, lockPromo, type PromoRow } from './store';

const HOUR_SECONDS = 3600;
/** Attempts in an hour, right or wrong: a code of four letters must not be found by trying. */
export const ATTEMPTS_PER_PERSON = 10;
const ATTEMPTS_PER_NETWORK = 50;

interface RedeemContext {
  runtime: Pick<Runtime, 'db' | 'settings'>;
  actor: SessionActor;
  clientIp: string;
}

/**
 * Grants the credit of a promo code to the person's account, or to a team that they manage: once
 * for each person, and once for each verified inbox.
 * @throws GatewayError INVALID_INPUT for a code that cannot be redeemed, by this person or at all;
 *   FORBIDDEN without a verified address, for members of a team, and for a frozen account;
 *   RATE_LIMIT_EXCEEDED
 */
export async function redeemCode(
  { runtime, actor, clientIp }: RedeemContext,
  { code, billing }: { code: string; billing?: string | undefined },
): Promise<Redeemed> {
  const { claimSecret, lowBalanceMicrousd } = runtime.settings;
  const account = await chooseAccount(runtime, actor, billing, 'admin');
  if (account.frozen || actor.accountFrozen) throw accountFrozen();
  if (!actor.verifiedEmail) throw emailNotVerified();
  await consumeAttempt(runtime, actor.userId, clientIp);
  const redeemer = { userId: actor.userId, inboxHash: emailSubject(claimSecret, actor.verifiedEmail) };
  const promo = await runtime.db.transaction(async (tx) => {
    const locked = await lockPromo(tx, code);
    const promo = requireRedeemable(locked);
    const redemption = { ...redeemer, promoId: promo.id };
    if (await hasRedeemed(tx, redemption)) throw refused('You have already redeemed this code.');
    if (promo.redeemed >= promo.maxRedemptions)
      throw refused('This code has been redeemed as often as it allows.');
    if (promo.newPeopleOnly && !(await isNewPerson(tx, actor.userId, promo.id)))
      throw refused('This code is for new accounts only.');
    await grantPromo(tx, actor, { promo, account, redemption, lowBalance: lowBalanceMicrousd });
    return promo;
  });
  return { code: promo.code, amount_usd: usdFromMicrousd(promo.amountMicrousd), account: account.name };
}

interface PromoGrant {
  promo: PromoRow;
  account: ChosenAccount;
  redemption: { promoId: string; userId: string; inboxHash: string };
  lowBalance: bigint;
}

/** Records the redemption of a locked code, and enters its credit with the redemption as cause. */
async function grantPromo(
  tx: Executor,
  actor: SessionActor,
  { promo, account, redemption, lowBalance }: PromoGrant,
): Promise<void> {
  const { amountMicrousd: amount } = promo;
  const [locked] = await lockAccounts(tx, [account.id]);
  if (!locked || locked.closedAt) throw new GatewayError('AUTH_FAILED');
  const id = newId('redemption');
  const row = { ...redemption, id, accountId: account.id, amountMicrousd: amount };
  if (!(await insertRedemption(tx, row))) throw refused('You have already redeemed this code.');
  const grant = {
    accountId: account.id,
    amount,
    ref: `${PROMO_PREFIX}${id}`,
    memo: `Promo code ${promo.code}`,
  };
  if (!(await grantCredit(tx, grant))) throw new Error('A new redemption has been granted before');
  await enableLowBalanceAlert(tx, account.id, lowBalance);
  await writeAudit(tx, {
    actor: actorName(actor),
    action: 'promo.redeem',
    accountId: account.id,
    target: promo.id,
    details: { code: maskCode(promo.code), amount_usd: usdFromMicrousd(amount), redemption: id },
  });
}

/** One message for all that do not exist or have ended: it must not confirm a guess. */
function requireRedeemable(promo: PromoRow | null): PromoRow {
  const state = promo && getPromoState(promo, new Date());
  if (promo && (state === 'active' || state === 'used_up')) return promo;
  throw refused('This code does not exist, or has ended. Check the spelling.');
}

function refused(message: string): GatewayError {
  return invalidFields([{ path: 'code', message }]);
}

function emailNotVerified(): GatewayError {
  return new GatewayError('FORBIDDEN', {
    message: 'A code can be redeemed once for each verified email address, and yours is not verified.',
    hint: 'Sign out, then sign in with a link sent to your email address.',
  });
}

/** Counts an attempt, in a transaction of its own: a refused code must not undo it. */
async function consumeAttempt(
  { db, settings }: Pick<Runtime, 'db' | 'settings'>,
  userId: string,
  clientIp: string,
): Promise<void> {
  const network = clientIp === '' ? null : networkSubject(settings.claimSecret, clientIp);
  const windows = [
    { scope: 'redeem-person', subject: userId, quota: ATTEMPTS_PER_PERSON },
    ...(network === null ? [] : [{ scope: 'redeem-network', subject: network, quota: ATTEMPTS_PER_NETWORK }]),
  ];
  for (const window of windows) {
    const { taken, resetSeconds } = await takeFromWindow(db, { ...window, seconds: HOUR_SECONDS });
    if (taken) continue;
    const minutes = Math.ceil(resetSeconds / 60);
    throw new GatewayError('RATE_LIMIT_EXCEEDED', {
      message: 'Too many codes were tried.',
      hint: `Wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and try again.`,
      details: { limit: 'hour', retry_after: resetSeconds },
    });
  }
}
