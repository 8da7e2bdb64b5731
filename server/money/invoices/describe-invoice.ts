import { formatUsd, MICROUSD_PER_CENT } from '../../kit/money';
import { formatDay, type PdfRequest } from './render-pdf';
import type { InvoiceRow } from './store';

type Issued = Pick<InvoiceRow, 'kind' | 'number' | 'test' | 'totalCents' | 'issuedAt' | 'document'>;

/** The texts of an issued invoice or credit note, from its frozen document only. */
export function describeInvoice({ kind, number, test, totalCents, issuedAt, document }: Issued): PdfRequest {
  const { seller, customer, lines, payment, corrects } = document;
  const isInvoice = kind === 'invoice';
  const paid = isInvoice ? ' Nothing is left to pay.' : '';
  return {
    title: isInvoice ? 'Invoice' : 'Credit note',
    number,
    warning: test ? 'TEST – not an invoice' : null,
    facts: [
      ['Date of issue', formatDay(issuedAt)],
      ...(corrects === null ? [] : [['Corrects invoice', corrects] as [string, string]]),
      ['Paid on', formatDay(payment.paid_at)],
      ...(payment.paid_with === null ? [] : [['Paid with', payment.paid_with] as [string, string]]),
      ['Payment', payment.id],
    ],
    seller,
    customer,
    lines: lines.map(({ text, cents }) => ({ text, amount: formatCents(cents) })),
    total: { text: isInvoice ? 'Total paid' : 'Total refunded', amount: formatCents(totalCents) },
    after: [],
    note: test ? 'Test mode: nothing was charged.' : `All amounts are in US dollars.${paid}`,
  };
}

/** The name of its file: `credit-note-2026-000012.pdf`. */
export function nameInvoiceFile({ kind, number }: Pick<InvoiceRow, 'kind' | 'number'>): string {
  return `${kind.replace('_', '-')}-${number}.pdf`;
}

function formatCents(cents: number): string {
  return formatUsd(BigInt(cents) * MICROUSD_PER_CENT);
}
