import { writeAudit } from '../../core/audit/audit';
import { claimRequired } from '../../core/claims/claim-url';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { type Actor, actorName } from '../../core/trpc/actor';
import type { AccountContext } from '../../core/trpc/context';
import { findRole } from '../billing/find-role';
import { lockAccounts } from '../billing/ledger';
import type { Receipt } from '../billing/schema';
import { getPayments, getReceipt } from '../payments/get-receipt';
import { lockSale } from '../payments/lock-sale';
import { findCustomer, isNamed } from '../payments/receipt-customer';
import { describeInvoice, nameInvoiceFile } from './describe-invoice';
import { describeReceiptPdf, nameReceiptFile } from './describe-receipt';
import { freezeCustomer, issueInvoice, listDue } from './issue-invoice';
import { renderPdf } from './render-pdf';
import type { Invoice, InvoicedPayment, InvoicedPaymentList, InvoicedReceipt } from './schema';
import { findInvoice, type InvoiceRow, listInvoices } from './store';

type Context = Pick<AccountContext, 'runtime' | 'actor'>;

/**
 * Issues the invoice of a payment, and a credit note for what was given back since the last.
 * @throws GatewayError CLAIM_REQUIRED, NOT_FOUND, FORBIDDEN (members), UNAVAILABLE (no seller)
 */
export async function requestInvoice({ runtime, actor }: Context, paymentId: string): Promise<Invoice[]> {
  if (actor.accountType === 'provisional')
    throw await claimRequired(runtime, actor.accountId, 'Invoices need a claimed account.');
  const { account } = await getReceipt(runtime, actor, paymentId);
  await requireManager(runtime, actor, account);
  const documents = await issueInvoice(runtime, {
    accountId: account.id,
    paymentId,
    issuedBy: actorName(actor),
  });
  return documents.map((row) => toInvoice(runtime, row));
}

/**
 * The PDF of an issued document.
 * @throws GatewayError NOT_FOUND, also for another user's; FORBIDDEN to members
 */
export async function getInvoicePdf(
  { runtime, actor }: Context,
  invoiceId: string,
): Promise<{ filename: string; bytes: Buffer }> {
  const row = await findInvoice(runtime.db, invoiceId);
  const role = row && (await findRole(runtime, actor, row.accountId));
  if (!row || !role) throw new GatewayError('NOT_FOUND', { message: 'There is no such invoice.' });
  await requireManager(runtime, actor, { id: row.accountId, name: 'the account' });
  return { filename: nameInvoiceFile(row), bytes: await renderPdf(describeInvoice(row)) };
}

/**
 * The PDF of a receipt, with what its page shows to the actor.
 * @throws GatewayError NOT_FOUND, also for another user's payment
 */
export async function getReceiptPdf(
  context: Context,
  paymentId: string,
): Promise<{ filename: string; bytes: Buffer }> {
  const receipt = await getInvoicedReceipt(context, paymentId);
  const request = describeReceiptPdf(context.runtime.settings, receipt);
  return { filename: nameReceiptFile(receipt), bytes: await renderPdf(request) };
}

/**
 * The payments of an account with their invoices, newest first.
 * @throws GatewayError FORBIDDEN for another user's account, INVALID_INPUT for an invalid cursor
 */
export async function getInvoicedPayments(
  { runtime, actor }: Context,
  request: { billing?: string | undefined; cursor?: string | undefined },
): Promise<InvoicedPaymentList> {
  const { payments, next_cursor } = await getPayments(runtime, actor, request);
  const [first] = payments;
  const manages = first !== undefined && (await isManager(runtime, actor, first.account.id));
  const ids = payments.map(({ payment_id }) => payment_id);
  const rows = manages ? await listInvoices(runtime.db, ids) : [];
  return {
    payments: payments.map((payment) => ({
      ...payment,
      ...describeDocuments(runtime, payment, rows, manages),
    })),
    next_cursor,
  };
}

/**
 * A receipt with its invoices and the customer's details.
 * @throws GatewayError NOT_FOUND, also for another user's payment
 */
export async function getInvoicedReceipt(
  { runtime, actor }: Context,
  paymentId: string,
): Promise<InvoicedReceipt> {
  const receipt = await getReceipt(runtime, actor, paymentId);
  const manages = await isManager(runtime, actor, receipt.account.id);
  const rows = manages ? await listInvoices(runtime.db, [paymentId]) : [];
  const { name, address, vat_id, named } = await describeCustomer(runtime, receipt);
  // As elsewhere, the other details are for owners and admins.
  const customer = manages ? { name, address, vat_id } : { name, address: '', vat_id: '' };
  const completable = manages && !named;
  return { ...receipt, ...describeDocuments(runtime, receipt, rows, manages), customer, completable };
}

/** As the invoice names the customer, or as it was frozen; without both, the account's name. */
async function describeCustomer({ db }: Pick<Runtime, 'db'>, { payment_id, account }: Receipt) {
  const invoice = (await listInvoices(db, [payment_id])).find(({ kind }) => kind === 'invoice');
  if (invoice) {
    const { name, address, vat_id } = invoice.document.customer;
    return { name, address, vat_id: vat_id ?? '', named: true };
  }
  const frozen = await findCustomer(db, payment_id);
  const named = frozen !== null && isNamed(frozen);
  const { address, vat_id } = frozen ?? { address: '', vat_id: '' };
  return { name: frozen?.company || (frozen?.account ?? account.name), address, vat_id, named };
}

/**
 * Freezes the billing details of this moment in a receipt that was made without any. A receipt that
 * names its customer does not change.
 * @throws GatewayError NOT_FOUND, FORBIDDEN (members), INVALID_INPUT if no details are saved
 */
export async function completeReceipt(
  { runtime, actor }: Context,
  paymentId: string,
): Promise<InvoicedReceipt> {
  const { account } = await getReceipt(runtime, actor, paymentId);
  await requireManager(runtime, actor, account);
  await runtime.db.transaction(async (tx) => {
    const [locked] = await lockAccounts(tx, [account.id]);
    const sale = await lockSale(tx, paymentId);
    if (!locked || sale?.accountId !== locked.id)
      throw new GatewayError('NOT_FOUND', { message: 'There is no such payment.' });
    if (sale.customer && isNamed(sale.customer)) return;
    if (!isNamed(await freezeCustomer(tx, locked, sale)))
      throw new GatewayError('INVALID_INPUT', {
        message: 'No billing details are saved. Save them on the billing page, then complete the receipt.',
      });
    const act = { actor: actorName(actor), action: 'billing.receipt', accountId: locked.id };
    await writeAudit(tx, { ...act, target: paymentId });
  });
  return await getInvoicedReceipt({ runtime, actor }, paymentId);
}

function describeDocuments(
  runtime: Pick<Runtime, 'settings'>,
  payment: Receipt,
  rows: readonly InvoiceRow[],
  manages: boolean,
): Pick<InvoicedPayment, 'credit_note_due_usd' | 'invoice_due' | 'invoices'> {
  if (!manages) return { invoices: [], invoice_due: false, credit_note_due_usd: 0 };
  const own = rows.filter(({ paymentId }) => paymentId === payment.payment_id);
  const reversals = {
    refundedCents: Math.round(payment.refunded_usd * 100),
    disputedCents: Math.round(payment.disputed_usd * 100),
    disputeOpen: payment.dispute_open,
  };
  const due = listDue(reversals, own);
  return {
    invoices: own.map((row) => toInvoice(runtime, row)),
    invoice_due: due.invoice,
    credit_note_due_usd: due.creditCents / 100,
  };
}

async function isManager(runtime: Pick<Runtime, 'db'>, actor: Actor, accountId: string): Promise<boolean> {
  if (actor.accountType === 'provisional') return false;
  const role = await findRole(runtime, actor, accountId);
  return role === 'owner' || role === 'admin';
}

async function requireManager(
  runtime: Pick<Runtime, 'db'>,
  actor: Actor,
  account: { id: string; name: string },
): Promise<void> {
  if (await isManager(runtime, actor, account.id)) return;
  throw new GatewayError('FORBIDDEN', {
    message: `Only owners and admins of ${account.name} get its invoices.`,
    hint: 'Ask an owner or admin of the team.',
  });
}

function toInvoice({ settings }: Pick<Runtime, 'settings'>, row: InvoiceRow): Invoice {
  return {
    invoice_id: row.id,
    number: row.number,
    kind: row.kind,
    payment_id: row.paymentId,
    issued_at: row.issuedAt.toISOString(),
    total_usd: row.totalCents / 100,
    test: row.test,
    pdf_url: `${settings.baseUrl}/dashboard/billing/invoices/${row.id}.pdf`,
  };
}
