'use client';

import Link from 'next/link';
import { useState } from 'react';
import type { Receipt } from '@/server/money/billing/schema';
import type { InvoicedPayment, InvoicedPaymentList } from '@/server/money/invoices/schema';
import { formatCount } from '../shared/format';
import { PaymentState } from '../shared/payment-state';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { buttonClass } from '../ui/button-class';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { Download, Receipt as ReceiptIcon } from '../ui/icons';
import { lazyPart } from '../ui/lazy-part';
import { LoadMore } from '../ui/load-more';
import { Money } from '../ui/money';
import { Select } from '../ui/select';
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

interface PaymentsPanelProps {
  billing: Billing;
  initial: InvoicedPaymentList;
  /** Owners and admins may download all documents of a year. */
  exports: boolean;
}

/** Shown at first: what follows on the page stays near. */
const FIRST_ROWS = 5;
const YEARS = 6;
const YEAR_FILES = { csv: 'CSV', zip: 'PDFs (ZIP)' } as const;

/** All payments with their receipts, newest first. */
export function PaymentsPanel({ billing, initial, exports }: PaymentsPanelProps) {
  const list = usePayments(billing, initial);
  const [rows, setRows] = useState(FIRST_ROWS);
  const payments = list.data?.pages.flatMap((page) => page.payments) ?? [];
  const folded = payments.length > rows;

  function showMore() {
    setRows(Number.POSITIVE_INFINITY);
    if (!folded) void list.fetchNextPage();
  }

  return (
    <Card id="receipts" className="scroll-mt-20">
      <CardHeader
        title="Receipts and invoices"
        actions={
          exports &&
          payments.length > 0 && (
            <YearDownload
              billing={billing}
              oldest={list.hasNextPage ? undefined : payments.at(-1)?.paid_at}
            />
          )
        }
      />
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
          <PaymentsTable payments={payments.slice(0, rows)} billing={billing} />
          <LoadMore
            hasMore={folded || list.hasNextPage}
            loading={list.isFetchingNextPage}
            onLoadMore={showMore}
            shown={formatCount(Math.min(rows, payments.length), 'payment')}
            error={list.isFetchNextPageError ? problemText(list.error) : null}
          />
        </>
      )}
    </Card>
  );
}

/**
 * The receipts, invoices and credit notes of a year, since the oldest payment if known: as a CSV,
 * and as PDFs in an archive.
 */
function YearDownload({ billing, oldest }: { billing: Billing; oldest: string | undefined }) {
  const [now] = useState(() => new Date().getUTCFullYear());
  const [year, setYear] = useState(now);
  const years = oldest ? Math.max(1, now - new Date(oldest).getUTCFullYear() + 1) : YEARS;
  const query = new URLSearchParams({ ...(billing && { billing }), year: String(year) });
  return (
    <>
      <Select
        aria-label="Year (UTC)"
        className="w-24"
        value={String(year)}
        onChange={({ target }) => setYear(Number(target.value))}
      >
        {Array.from({ length: years }, (_, back) => now - back).map((each) => (
          <option key={each} value={String(each)}>
            {each}
          </option>
        ))}
      </Select>
      {(['csv', 'zip'] as const).map((type) => (
        // A plain link: the router must not prefetch a file.
        <a
          key={type}
          href={`/dashboard/billing/documents.${type}?${query}`}
          download
          className={buttonClass({ size: 'sm' })}
          aria-label={`Download ${YEAR_FILES[type]} of the receipts and invoices of ${year}`}
        >
          <Download aria-hidden />
          {YEAR_FILES[type]}
        </a>
      ))}
    </>
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
                  {payment.receipt_number !== null && (
                    <span className="whitespace-nowrap font-mono text-xs">{payment.receipt_number} · </span>
                  )}
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
