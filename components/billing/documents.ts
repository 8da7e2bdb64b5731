import type { InvoicedPayment } from '@/server/money/invoices/schema';

/** The part of a payment that says what was issued for it, and what can be. */
export type Documents = Pick<
  InvoicedPayment,
  'payment_id' | 'total_usd' | 'invoices' | 'invoice_due' | 'credit_note_due_usd'
>;

/** Whether an invoice or credit note can be issued. */
export function isDue({ invoice_due, credit_note_due_usd }: Documents): boolean {
  return invoice_due || credit_note_due_usd > 0;
}

/** Whether there is anything to download or issue: never for members, who see no invoices. */
export function hasDocuments(payment: Documents): boolean {
  return isDue(payment) || payment.invoices.length > 0;
}
