import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import { takeFromWindow } from '../../core/limits/store';
import { actorName } from '../../core/trpc/actor';
import type { AccountContext } from '../../core/trpc/context';
import { chooseAccount } from '../billing/choose-account';
import { lockAccounts } from '../billing/ledger';
import { chooseBuyer } from '../payments/create-checkout';
import type { BillingDetails, DetailsUpdate } from './schema';
import { type DetailsRow, findDetails, writeDetails } from './store';

/** Changes of the billing email a day: each new address gets the receipts of later purchases. */
const EMAIL_CHANGES = 10;
const DAY_SECONDS = 86_400;

const DETAIL_FIELDS = ['company_name', 'address', 'vat_id', 'billing_email'] as const;

/**
 * Company, address, VAT id and billing email of an account.
 * @throws GatewayError FORBIDDEN unless the actor is its owner or admin
 */
export async function getDetails(
  { runtime, actor }: Pick<AccountContext, 'runtime' | 'actor'>,
  billing: string | undefined,
): Promise<BillingDetails> {
  const account = await chooseAccount(runtime, actor, billing, 'admin');
  return toDetails(await findDetails(runtime.db, account.id));
}

/**
 * Replaces the billing details. Receipts and issued invoices that name a customer do not change.
 * @throws GatewayError CLAIM_REQUIRED, FORBIDDEN, RATE_LIMIT_EXCEEDED
 */
export async function setDetails(
  context: Pick<AccountContext, 'runtime' | 'actor'>,
  { billing, ...given }: DetailsUpdate,
): Promise<BillingDetails> {
  const { runtime, actor } = context;
  const account = await chooseBuyer(context, billing, 'Billing details need a claimed account.');
  const details: DetailsRow = {
    companyName: given.company_name,
    address: given.address,
    vatId: given.vat_id,
    billingEmail: given.billing_email?.toLowerCase() ?? null,
  };
  await runtime.db.transaction(async (tx) => {
    await lockAccounts(tx, [account.id]);
    const before = await findDetails(tx, account.id);
    if (details.billingEmail !== null && details.billingEmail !== before.billingEmail)
      await takeEmailChange(tx, account.id);
    await writeDetails(tx, account.id, details);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'billing.details',
      accountId: account.id,
      details: { changed: listChanged(before, details) },
    });
  });
  return toDetails(details);
}

/** Names only: the audit log is never erased, the details are. */
function listChanged(before: DetailsRow, after: DetailsRow): string {
  const [old, changed] = [toDetails(before), toDetails(after)];
  return DETAIL_FIELDS.filter((field) => old[field] !== changed[field]).join(', ');
}

async function takeEmailChange(tx: Parameters<typeof takeFromWindow>[0], accountId: string): Promise<void> {
  const window = {
    scope: 'billing-email-changes',
    subject: accountId,
    quota: EMAIL_CHANGES,
    seconds: DAY_SECONDS,
  };
  const { taken, resetSeconds } = await takeFromWindow(tx, window);
  if (taken) return;
  const message = `The billing email can be changed ${EMAIL_CHANGES} times a day.`;
  throw new GatewayError('RATE_LIMIT_EXCEEDED', {
    message,
    details: {
      limit: 'billing_email_changes',
      retry_after: resetSeconds,
      fields: [{ path: 'billing_email', message }],
    },
  });
}

function toDetails({ companyName, address, vatId, billingEmail }: DetailsRow): BillingDetails {
  return { company_name: companyName, address, vat_id: vatId, billing_email: billingEmail };
}
