import { writeAudit } from '../../core/audit/audit';
import { claimRequired } from '../../core/claims/claim-url';
import { accountFrozen } from '../../core/errors/account-frozen';
import { GatewayError } from '../../core/errors/gateway-error';
import { runOnce, saveResponseOrThrow } from '../../core/idempotency/run-once';
import { actorName } from '../../core/trpc/actor';
import type { AccountContext } from '../../core/trpc/context';
import { formatUsd, MICROUSD_PER_CENT, microusdFromUsd, usdFromMicrousd } from '../../kit/money';
import { type ChosenAccount, chooseAccount } from '../billing/choose-account';
import { disputedError } from '../billing/disputed-error';
import { describeFee } from '../billing/limits';
import type { Checkout } from '../billing/schema';
import { withCustomer } from './find-customer';
import { getTerms } from './get-terms';
import { placeOrder, requirePayments } from './place-order';
import { pricePurchase } from './purchase';
import { type NewOrder, setSession } from './store';

/** How long a checkout, and its price, stays valid. */
const CHECKOUT_MS = 3_600_000;

/** What a buyer requests; amount_usd is in dollars and whole cents. */
interface CheckoutRequest {
  amount_usd: number;
  save_card?: boolean | undefined;
  billing?: string | undefined;
}

/**
 * Creates a payment page for credit. It credits nothing; only the payment does.
 * @throws GatewayError CLAIM_REQUIRED, FORBIDDEN, UNAVAILABLE if the gateway does not sell credit
 * @throws PaymentsUnavailable
 */
export async function createCheckout(context: AccountContext, request: CheckoutRequest): Promise<Checkout> {
  const { runtime } = context;
  const account = await chooseBuyer(context, request.billing, 'Buying credit needs a claimed account.');
  if (account.disputed) throw disputedError();
  return await runOnce<Checkout>(context, { operation: 'billing.checkout', body: request }, async (claim) => {
    const payments = requirePayments(runtime);
    const credits = microusdFromUsd(request.amount_usd);
    if (credits === null) throw new GatewayError('INVALID_INPUT');
    const purchase = pricePurchase(runtime.settings, credits);
    const expiresAt = new Date(runtime.ports.clock.now().getTime() + CHECKOUT_MS);
    const createdBy = actorName(context.actor);
    return await withCustomer(runtime, payments, account, async (customerId) => {
      const order: Omit<NewOrder, 'id'> = {
        kind: 'checkout',
        mode: payments.mode,
        accountId: account.id,
        createdBy,
        creditsMicrousd: purchase.credits,
        feeMicrousd: purchase.fee,
        totalCents: purchase.totalCents,
        saveCard: request.save_card ?? false,
        expiresAt,
      };
      const orderId = await runtime.db.transaction((tx) => placeOrder(tx, order));
      const pages = `${runtime.settings.baseUrl}/dashboard/billing`;
      const session = await payments.createCheckout({
        orderId,
        customerId,
        credits: `${formatUsd(credits)} of credit`,
        creditCents: Number(credits / MICROUSD_PER_CENT),
        feeCents: Number(purchase.fee / MICROUSD_PER_CENT),
        fee: `Purchase fee: ${describeFee(getTerms(runtime))}`,
        saveCard: request.save_card ?? false,
        successUrl: `${pages}/success?order=${orderId}`,
        cancelUrl: `${pages}/cancelled?order=${orderId}`,
        expiresAt,
      });
      const answer: Checkout = {
        url: session.url,
        credit_usd: usdFromMicrousd(credits),
        fee_usd: usdFromMicrousd(purchase.fee),
        total_usd: purchase.totalCents / 100,
        order_id: orderId,
        expires_at: expiresAt.toISOString(),
      };
      await runtime.db.transaction(async (tx) => {
        await setSession(tx, orderId, session.sessionId);
        await writeAudit(tx, {
          actor: createdBy,
          action: 'billing.checkout',
          accountId: account.id,
          target: orderId,
          details: { total_usd: answer.total_usd },
        });
        await saveResponseOrThrow(tx, claim, { status: 200, body: answer });
      });
      return answer;
    });
  });
}

/**
 * Resolves the account to buy for, or to change preferences of.
 * @throws GatewayError CLAIM_REQUIRED, FORBIDDEN
 */
export async function chooseBuyer(
  { runtime, actor }: Pick<AccountContext, 'runtime' | 'actor'>,
  billing: string | undefined,
  unclaimed: string,
): Promise<ChosenAccount> {
  if (actor.accountType === 'provisional') throw await claimRequired(runtime, actor.accountId, unclaimed);
  const account = await chooseAccount(runtime, actor, billing, 'admin');
  // A frozen actor may not buy for a team either, although the team's account is not frozen.
  if (account.frozen || actor.accountFrozen) throw accountFrozen();
  return account;
}
