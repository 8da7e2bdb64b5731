import type { Executor } from '@/db/client';
import type { InvoiceDocument, InvoiceParty } from '@/db/schema/invoices';
import type { PaymentMode, ReceiptCustomer } from '@/db/schema/payments';
import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { newId } from '../../kit/ids';
import { MICROUSD_PER_CENT } from '../../kit/money';
import type { Settings } from '../../platform/settings/settings';
import { lockAccounts } from '../billing/ledger';
import { lockSale, type Sale } from '../payments/lock-sale';
import { isNamed, nameCustomer } from '../payments/receipt-customer';
import { drawNumber, findDetails, type InvoiceRow, insertInvoice, listInvoices } from './store';

/** Payments of these modes move real money. */
const REAL_MODES: ReadonlySet<PaymentMode> = new Set(['live', 'x402']);

/** Whether a payment of this mode moved no real money. */
export function isTestMode(mode: PaymentMode): boolean {
  return !REAL_MODES.has(mode);
}

const NUMBER_DIGITS = 6;

/**
 * Issues what a payment still lacks: its invoice, and a credit note for what was given back since.
 * Repeated calls issue nothing new. The caller has authorised the account.
 * @returns all documents of the payment
 * @throws GatewayError UNAVAILABLE if real money was paid and the operator has set no seller
 */
export async function issueInvoice(
  { db, settings }: Pick<Runtime, 'db' | 'settings'>,
  { accountId, paymentId, issuedBy }: { accountId: string; paymentId: string; issuedBy: string },
): Promise<InvoiceRow[]> {
  return await db.transaction(async (tx) => {
    const [account] = await lockAccounts(tx, [accountId]);
    const sale = await lockSale(tx, paymentId);
    if (!account || sale?.accountId !== accountId)
      throw new GatewayError('NOT_FOUND', { message: 'There is no such payment.' });
    const documents = await listInvoices(tx, [paymentId]);
    const series = { seller: requireSeller(settings, sale.mode), test: isTestMode(sale.mode), issuedBy };
    const due = listDue(sale, documents);
    if (due.invoice) {
      const { account: name, company, address, vat_id } = await freezeCustomer(tx, account, sale);
      const customer = { name: company || name, address, vat_id: vat_id || null };
      documents.push(await issue(tx, series, sale, { customer, corrects: null, ...invoiceLines(sale) }));
    }
    if (due.creditCents > 0) {
      const invoice = documents.find(({ kind }) => kind === 'invoice');
      if (!invoice) throw new Error('A credit note needs its invoice');
      const lines = [{ text: describeReversal(sale, invoice.number), cents: due.creditCents }];
      const { customer } = invoice.document;
      documents.push(
        await issue(tx, series, sale, {
          customer,
          corrects: invoice.number,
          lines,
          totalCents: due.creditCents,
        }),
      );
    }
    return documents;
  });
}

/**
 * The customer of a payment: as frozen when the payment was made, or with the details of this
 * moment if it had none, which completes its receipt. Both the account and payment are locked.
 */
export async function freezeCustomer(
  tx: Executor,
  account: { id: string; name: string },
  { id, customer }: Pick<Sale, 'id' | 'customer'>,
): Promise<ReceiptCustomer> {
  if (customer && isNamed(customer)) return customer;
  const { companyName, address, vatId } = await findDetails(tx, account.id);
  const named = {
    account: customer?.account ?? account.name,
    ...{ company: companyName, address, vat_id: vatId },
  };
  if (isNamed(named)) await nameCustomer(tx, id, named);
  return named;
}

type Reversals = Pick<Sale, 'refundedCents' | 'disputedCents' | 'disputeOpen'>;

/**
 * What can be issued for a payment now: its invoice, and a credit note for what was given back for
 * good. An open dispute waits for the bank's decision.
 */
export function listDue(
  { refundedCents, ...dispute }: Reversals,
  documents: readonly Pick<InvoiceRow, 'kind' | 'totalCents'>[],
): { invoice: boolean; creditCents: number } {
  const noted = documents.reduce(
    (sum, { kind, totalCents }) => sum + (kind === 'credit_note' ? totalCents : 0),
    0,
  );
  return {
    invoice: !documents.some(({ kind }) => kind === 'invoice'),
    creditCents: Math.max(0, refundedCents + countLost(dispute) - noted),
  };
}

function countLost({ disputedCents, disputeOpen }: Omit<Reversals, 'refundedCents'>): number {
  return disputeOpen ? 0 : disputedCents;
}

function describeReversal(sale: Sale, number: string): string {
  return countLost(sale) > 0 ? `Refund or lost dispute of invoice ${number}` : `Refund of invoice ${number}`;
}

function invoiceLines({ creditsMicrousd, feeMicrousd, totalCents }: Sale) {
  const lines = [
    { text: 'Prepaid credit', cents: Number(creditsMicrousd / MICROUSD_PER_CENT) },
    { text: 'Fee', cents: Number(feeMicrousd / MICROUSD_PER_CENT) },
  ];
  return { lines: lines.filter(({ cents }) => cents > 0), totalCents };
}

/**
 * The seller as the settings name it. In test mode the gateway stands for a missing one.
 * @throws GatewayError UNAVAILABLE
 */
function requireSeller(settings: Pick<Settings, 'baseUrl' | 'seller'>, mode: PaymentMode): InvoiceParty {
  const { name, address } = settings.seller;
  if ((name === null || address === null) && !isTestMode(mode))
    throw new GatewayError('UNAVAILABLE', {
      message: 'This gateway cannot issue invoices: its operator has not set SELLER_NAME and SELLER_ADDRESS.',
      hint: 'Ask the operator of this gateway to set both, then try again.',
    });
  return nameSeller(settings);
}

/** The seller; the gateway stands for what the settings leave out. */
export function nameSeller({ seller, baseUrl }: Pick<Settings, 'baseUrl' | 'seller'>): InvoiceParty {
  return {
    name: seller.name ?? `Tool Gateway at ${new URL(baseUrl).host}`,
    address: seller.address ?? '',
    vat_id: seller.vatId,
  };
}

interface Issue extends Pick<InvoiceDocument, 'customer' | 'corrects' | 'lines'> {
  totalCents: number;
}

async function issue(
  tx: Executor,
  { seller, test, issuedBy }: { seller: InvoiceParty; test: boolean; issuedBy: string },
  sale: Sale,
  { totalCents, ...rest }: Issue,
): Promise<InvoiceRow> {
  const { year, sequence, issuedAt } = await drawNumber(tx, { seller: seller.name, test });
  const number = `${test ? 'TEST-' : ''}${year}-${String(sequence).padStart(NUMBER_DIGITS, '0')}`;
  const payment = { id: sale.id, paid_at: sale.paidAt.toISOString(), paid_with: sale.paidWith };
  const row = await insertInvoice(tx, {
    id: newId('invoice'),
    kind: rest.corrects === null ? 'invoice' : 'credit_note',
    accountId: sale.accountId,
    paymentId: sale.id,
    seller: seller.name,
    ...{ test, year, sequence, number, totalCents, issuedBy, issuedAt },
    mode: sale.mode,
    document: { seller, payment, ...rest },
  });
  await writeAudit(tx, {
    actor: issuedBy,
    action: 'billing.invoice',
    accountId: sale.accountId,
    target: row.id,
    details: { number, payment: sale.id },
  });
  return row;
}
