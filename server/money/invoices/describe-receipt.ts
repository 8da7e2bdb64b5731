import { formatUsd, microusdFromUsd } from '../../kit/money';
import type { Settings } from '../../platform/settings/settings';
import type { Receipt } from '../billing/schema';
import { isTestMode, nameSeller } from './issue-invoice';
import { formatDay, type PdfRequest } from './render-pdf';

type Paid = Receipt & { customer: { name: string; address: string; vat_id: string | null } };

/** The texts of a receipt, with what was given back since: as its page has them. */
export function describeReceiptPdf(
  settings: Pick<Settings, 'baseUrl' | 'seller'>,
  receipt: Paid,
): PdfRequest {
  const { receipt_number: number, payment_id, customer } = receipt;
  const test = isTestMode(receipt.mode);
  return {
    title: 'Receipt',
    number: number ?? payment_id,
    warning: test ? 'TEST – not a receipt' : null,
    facts: [
      ['Paid on', formatDay(receipt.paid_at)],
      ['Paid with', receipt.paid_with ?? 'Not reported by the payment provider'],
      ...(number === null ? [] : [['Payment', payment_id] as [string, string]]),
      ['Order', receipt.order_id],
    ],
    seller: nameSeller(settings),
    customer: { ...customer, vat_id: customer.vat_id || null },
    lines: [line('Prepaid credit', receipt.credit_usd), line('Fee', receipt.fee_usd)],
    total: line('Total paid', receipt.total_usd),
    after: [
      ...(receipt.refunded_usd > 0 ? [line('Refunded', -receipt.refunded_usd)] : []),
      ...(receipt.disputed_usd > 0 ? [line('Disputed', -receipt.disputed_usd)] : []),
    ],
    note: test ? 'Test mode: nothing was charged.' : 'All amounts are in US dollars.',
  };
}

/** The name of its file: `receipt-R-000123.pdf`. */
export function nameReceiptFile({ receipt_number: number, payment_id: id }: Receipt): string {
  return `receipt-${(number ?? id).replace(/[^\w.-]/g, '-')}.pdf`;
}

function line(text: string, usd: number) {
  const amount = microusdFromUsd(usd);
  if (amount === null) throw new Error(`A receipt cannot have an amount of ${usd}`);
  return { text, amount: formatUsd(amount) };
}
