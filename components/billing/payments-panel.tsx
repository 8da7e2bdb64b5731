'use client';

import Link from 'next/link';
import type { Receipt } from '@/server/money/billing/schema';
import type { InvoicedPayment, InvoicedPaymentList } from '@/server/money/invoices/schema';
import { formatCount } from '../shared/format';
import { PaymentState } from '../shared/payment-state';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { Receipt as ReceiptIcon } from '../ui/icons';
import { lazyPart } from '../ui/lazy-part';
import { LoadMore } from '../ui/load-more';
import { Money } from '../ui/money';
import { Table, Tbody, Td, Th, Thead, Tr } from '../ui/table';
import { hasDocuments } from './documents';
import { type Billing, usePayments } from './queries';

/** Not loaded for an account without payments. */
const InvoicesCell = lazyPart(() => import('./invoices-cell').then((module) => module.InvoicesCell));

const KIND_WORDS = {
  checkout: 'Purchase',
  reload: 'Auto-recharge',
  machine: 'Machine top-up',
} as const satisfies Record<Receipt['kind'], string>;

/** All payments with their receipts, newest first. */
export function PaymentsPanel({ billing, initial }: { billing: Billing; initial: InvoicedPaymentList }) {
  const list = usePayments(billing, initial);
  const payments = list.data?.pages.flatMap((page) => page.payments) ?? [];
  return (
    <Card>
      <CardHeader title="Receipts and invoices" />
      {list.isError && payments.length === 0 ? (
        <ErrorState
          title="The receipts could not be loaded"
          requestId={gatewayError(list.error)?.request_id}
          onRetry={() => list.refetch()}
          retrying={list.isFetching}
        >
          {problemText(list.error)}
        </ErrorState>
      ) : payments.length === 0 ? (
        <EmptyState icon={<ReceiptIcon />} title="No payments yet">
          Receipts for your credit purchases appear here.
        </EmptyState>
      ) : (
        <>
          <PaymentsTable payments={payments} billing={billing} />
          <LoadMore
            hasMore={list.hasNextPage}
            loading={list.isFetchingNextPage}
            onLoadMore={() => list.fetchNextPage()}
            shown={formatCount(payments.length, 'payment')}
            error={list.isFetchNextPageError ? problemText(list.error) : null}
          />
        </>
      )}
    </Card>
  );
}

function PaymentsTable({ payments, billing }: { payments: InvoicedPayment[]; billing: Billing }) {
  // Members see no invoices.
  const invoiced = payments.some(hasDocuments);
  return (
    <Table caption="Receipts, newest first">
      <Thead>
        <Th>Receipt</Th>
        <Th>State</Th>
        <Th numeric>Credit</Th>
        <Th numeric>Fee</Th>
        <Th numeric>Total</Th>
        {invoiced && <Th>Invoice</Th>}
      </Thead>
      <Tbody>
        {payments.map((payment) => (
          <Tr key={payment.payment_id}>
            <Td head>
              <div className="min-w-0">
                <Link href={`/dashboard/billing/receipts/${payment.payment_id}`} className="link">
                  <DateTime at={payment.paid_at} format="date" />
                </Link>
                <p className="font-normal text-muted text-sm">
                  {[KIND_WORDS[payment.kind], payment.paid_with].filter(Boolean).join(' with ')}
                </p>
              </div>
            </Td>
            <Td label="State">
              <PaymentState receipt={payment} />
            </Td>
            <Td label="Credit" numeric>
              <Money usd={payment.credit_usd} />
            </Td>
            <Td label="Fee" numeric>
              <Money usd={payment.fee_usd} />
            </Td>
            <Td label="Total" numeric>
              <Money usd={payment.total_usd} className="font-medium" />
            </Td>
            {invoiced && (
              <Td label="Invoice">
                <InvoicesCell payment={payment} billing={billing} />
              </Td>
            )}
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
