import type { AccountContext } from '../../core/trpc/context';
import { chooseBuyer } from './create-checkout';
import { withCustomer } from './find-customer';
import { requirePayments } from './place-order';

/**
 * A page at the provider where a person sees payments and removes or replaces the saved card.
 * @throws GatewayError CLAIM_REQUIRED, FORBIDDEN, UNAVAILABLE
 * @throws PaymentsUnavailable
 */
export async function openPortal(
  context: AccountContext,
  { billing }: { billing?: string | undefined },
): Promise<{ url: string }> {
  const { runtime } = context;
  const account = await chooseBuyer(context, billing, 'The payment page needs a claimed account.');
  const payments = requirePayments(runtime);
  const of = account.slug === null ? '' : `?billing=${account.slug}`;
  const returnUrl = `${runtime.settings.baseUrl}/dashboard/billing${of}`;
  return await withCustomer(runtime, payments, account, (customerId) =>
    payments.createPortal({ customerId, returnUrl }),
  );
}
