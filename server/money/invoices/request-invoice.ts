import { claimRequired } from '../../core/claims/claim-url';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { type Actor, actorName } from '../../core/trpc/actor';
import type { AccountContext } from '../../core/trpc/context';
import { findRole } from '../billing/find-role';
import type { Receipt } from '../billing/schema';
import { getPayments, getReceipt } from '../payments/get-receipt';
import { getAccountDetails } from './billing-details';
import { issueInvoice, listDue } from './issue-invoice';
import { renderInvoice } from './render-invoice';
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
  return { filename: `${row.kind.replace('_', '-')}-${row.number}.pdf`, bytes: await renderInvoice(row) };
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
  const { company_name, address, vat_id } = await getAccountDetails(runtime, receipt.account.id);
  // As elsewhere, the other details are for owners and admins.
  const customer = manages ? { company_name, address, vat_id } : { company_name, address: '', vat_id: '' };
  return { ...receipt, ...describeDocuments(runtime, receipt, rows, manages), customer };
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
