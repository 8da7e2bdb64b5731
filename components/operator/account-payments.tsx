'use client';

import type { AccountDetail, OperatorPayment } from '@/server/operations/operator/schema';
import { readAmount } from '../shared/amount';
import { PaymentState } from '../shared/payment-state';
import { trpc } from '../shared/trpc-provider';
import { InputProblem } from '../shared/use-submit';
import { Card, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { Receipt } from '../ui/icons';
import { formatMoney, Money } from '../ui/money';
import { ActDialog } from './act-dialog';
import { CopyId } from './copy-id';
import { listPaging, listProblem, usePages } from './pages';

const REFUND_WORDS = { open: 'requested, outcome unknown', done: 'done', refused: 'refused' } as const;

/** The account's payments, with refunds. */
export function AccountPayments({ account }: { account: AccountDetail }) {
  const { account_id } = account;
  const query = usePages(
    'payments',
    { account_id },
    (cursor, signal) => trpc.operator.accounts.payments.query({ account_id, cursor }, { signal }),
    account.payments,
    { audited: true },
  );
  const payments = query.data?.pages.flatMap((page) => page.payments);
  return (
    <Card>
      <CardHeader title="Payments" />
      <DataTable
        caption="Payments, newest first"
        columns={buildColumns(account_id)}
        rows={payments}
        keyOf={({ payment_id }) => payment_id}
        problem={listProblem(query, 'The payments could not be loaded')}
        paging={listPaging(query, payments?.length ?? 0, 'payment')}
        empty={
          <EmptyState icon={<Receipt />} title="No payments">
            This account has never paid anything.
          </EmptyState>
        }
      />
    </Card>
  );
}

function buildColumns(account_id: string): readonly Column<OperatorPayment>[] {
  return [
    {
      id: 'payment',
      title: 'Payment',
      className: 'max-w-64',
      cell: ({ payment_id, paid_at, paid_with }) => (
        <span className="flex min-w-0 flex-col">
          <DateTime at={paid_at} format="exact" />
          {paid_with && <span className="font-normal text-muted text-xs">{paid_with}</span>}
          <CopyId id={payment_id} noun="payment id" className="font-normal text-muted" />
        </span>
      ),
    },
    { id: 'state', title: 'State', phone: 'note', cell: (payment) => <PaymentState receipt={payment} /> },
    {
      id: 'total',
      title: 'Paid',
      numeric: true,
      phone: 'figure',
      cell: ({ total_usd }) => <Money usd={total_usd} />,
    },
    {
      id: 'refunds',
      title: 'Refunds',
      cell: (payment) => <Refunds account_id={account_id} payment={payment} />,
    },
    {
      id: 'act',
      title: 'Actions',
      titleHidden: true,
      className: 'text-right',
      cell: (payment) =>
        payment.refundable ? <RefundDialog account_id={account_id} payment={payment} /> : null,
    },
  ];
}

interface PaymentProps {
  account_id: string;
  payment: OperatorPayment;
}

function Refunds({ account_id, payment: { payment_id, refunds, refunded_usd } }: PaymentProps) {
  if (refunds.length === 0)
    return refunded_usd > 0 ? <Money usd={refunded_usd} /> : <span className="text-muted">—</span>;
  return (
    <ul className="flex flex-col gap-1">
      {refunds.map((refund) => (
        <li
          key={refund.id}
          title={refund.problem ?? refund.reason}
          className="flex flex-wrap items-center gap-2"
        >
          <Money usd={refund.cents / 100} />
          <span className="text-muted">{REFUND_WORDS[refund.status]}</span>
          {refund.status === 'open' && (
            <ActDialog
              label="Retry"
              title={`Retry the refund of ${formatMoney(refund.cents / 100)}?`}
              consequence="The provider did not respond. Retrying finds or creates the same refund; it is never refunded twice."
              confirmLabel="Retry refund"
              done="Refund complete"
              act={() =>
                trpc.operator.accounts.refund.mutate({
                  account_id,
                  payment_id,
                  cents: refund.cents,
                  reason: refund.reason,
                  form: refund.id.replace(/^refund_/, ''),
                })
              }
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function RefundDialog({ account_id, payment }: PaymentProps) {
  const { payment_id, left_usd } = payment;
  return (
    <ActDialog
      label="Refund"
      title={`Refund ${formatMoney(payment.total_usd)} paid ${payment.paid_with ? `with ${payment.paid_with}` : ''}`}
      consequence={`Up to ${formatMoney(left_usd)} can be refunded. The same share of the purchased credit is reversed; credit already spent becomes debt. A refund cannot be undone.`}
      confirmLabel="Refund"
      danger
      fields={[
        {
          name: 'amount',
          label: 'Amount',
          hint: 'In dollars and cents.',
          defaultValue: left_usd.toFixed(2),
          decimal: true,
        },
      ]}
      reason
      done="Refund complete"
      act={async ({ amount = '', reason = '' }, form) => {
        const read = readAmount('Amount', amount);
        if ('problem' in read) throw new InputProblem(read.problem);
        const cents = Math.round(read.usd * 100);
        if (cents < 1 || cents / 100 !== read.usd) throw new InputProblem('Amount: use whole cents.');
        await trpc.operator.accounts.refund.mutate({ account_id, payment_id, cents, reason, form });
      }}
    />
  );
}
