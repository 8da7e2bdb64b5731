import type { Runtime } from '../../core/runtime';
import type { Receipt } from '../billing/schema';
import { listAccountPayments } from './get-receipt';
import { listRefundsOfPayments } from './refund-store';

/** A payment for the operator: with its refunds and the amount that can still be refunded. */
export interface Refundable extends Receipt {
  left_usd: number;
  refundable: boolean;
  refunds: {
    id: string;
    cents: number;
    status: 'open' | 'done' | 'refused';
    reason: string;
    by: string;
    problem: string | null;
    created_at: string;
  }[];
}

/** The payments of an account, newest first, each with its refunds. */
export async function listOperatorPayments(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  accountId: string,
  cursor: string | undefined,
): Promise<{ payments: Refundable[]; next_cursor: string | null }> {
  const { payments, next_cursor } = await listAccountPayments(runtime, accountId, cursor);
  const refunds = await listRefundsOfPayments(
    runtime.db,
    payments.map(({ payment_id }) => payment_id),
  );
  const mode = runtime.ports.payments?.mode;
  return {
    next_cursor,
    payments: payments.map((payment) => {
      const own = refunds.filter(({ paymentId }) => paymentId === payment.payment_id);
      const open = own.reduce((sum, { status, cents }) => (status === 'open' ? sum + cents : sum), 0);
      const cents = (usd: number) => Math.round(usd * 100);
      const left =
        cents(payment.total_usd) - cents(payment.refunded_usd) - cents(payment.disputed_usd) - open;
      return {
        ...payment,
        left_usd: Math.max(0, left) / 100,
        refundable: payment.mode === mode && left > 0,
        refunds: own.map((refund) => ({
          id: refund.id,
          cents: refund.cents,
          status: refund.status,
          reason: refund.reason,
          by: refund.createdBy,
          problem: refund.problem,
          created_at: refund.createdAt.toISOString(),
        })),
      };
    }),
  };
}
