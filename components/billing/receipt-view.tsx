'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import type { Receipt } from '@/server/money/billing/schema';
import type { InvoicedReceipt } from '@/server/money/invoices/schema';
import { PaymentState } from '../shared/payment-state';
import { Button } from '../ui/button';
import { buttonClass } from '../ui/button-class';
import { Card } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { ArrowLeft, Download, Printer } from '../ui/icons';
import { BrandName, LogoMark } from '../ui/logo';
import { Money } from '../ui/money';
import { PageHeader } from '../ui/page-header';
import { CompleteReceipt } from './complete-receipt';
import { hasDocuments } from './documents';
import { InvoicesCell } from './invoices-cell';

interface ReceiptViewProps {
  receipt: InvoicedReceipt;
  /** The host of the gateway's base URL. */
  host: string;
  /** The seller as invoices name it, if the operator has set it. */
  seller: { name: string | null; address: string | null; vatId: string | null };
}

const TEST_MODE_NOTES: Partial<Record<Receipt['mode'], string>> = {
  fake: 'Test mode: this payment was simulated. No card was charged.',
  sandbox: 'Test mode: paid with a sandbox proof. Nothing was charged.',
  test: 'Test mode: no card was charged.',
};

/** One receipt, printed on one page; controls around it are hidden in print. */
export function ReceiptView({ receipt, host, seller }: ReceiptViewProps) {
  const router = useRouter();
  const { slug } = receipt.account;
  const note = TEST_MODE_NOTES[receipt.mode];
  return (
    <div className="flex max-w-3xl flex-col gap-6 print:max-w-none">
      <div className="print:hidden">
        <PageHeader
          back={
            <Link
              href={`/dashboard/billing${slug ? `?billing=${encodeURIComponent(slug)}` : ''}`}
              className="inline-flex items-center gap-1.5 text-muted hover:text-ink"
            >
              <ArrowLeft aria-hidden className="size-4" />
              Billing
            </Link>
          }
          title="Receipt"
          actions={
            <>
              <Button onClick={() => window.print()}>
                <Printer aria-hidden />
                Print
              </Button>
              {/* A plain link: the router must not prefetch a file. */}
              <a
                href={`/dashboard/billing/receipts/${receipt.payment_id}/receipt.pdf`}
                download
                className={buttonClass()}
              >
                <Download aria-hidden />
                Download PDF
              </a>
            </>
          }
        />
      </div>
      <Card className="p-5 sm:p-8 print:border-0 print:p-0">
        <article
          aria-label={`Receipt ${receipt.receipt_number ?? receipt.payment_id}`}
          className="flex flex-col gap-8 text-sm"
        >
          <ReceiptHead receipt={receipt} host={host} seller={seller} />
          <ReceiptLines receipt={receipt} host={host} />
          {receipt.completable && (
            <CompleteReceipt
              payment={receipt}
              billing={slug ?? undefined}
              onCompleted={() => router.refresh()}
            />
          )}
          {hasDocuments(receipt) && (
            <section aria-label="Invoices" className="flex print:hidden">
              <InvoicesCell payment={receipt} billing={slug ?? undefined} onIssued={() => router.refresh()} />
            </section>
          )}
          {note && <p className="border-t pt-4 font-medium">{note}</p>}
        </article>
      </Card>
    </div>
  );
}

function ReceiptHead({ receipt, host, seller }: ReceiptViewProps) {
  const { customer, receipt_number: number } = receipt;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="flex items-center gap-3">
          <LogoMark />
          <div>
            <p className="font-semibold text-lg">Receipt</p>
            <p className="text-muted">
              <BrandName /> at {host}
            </p>
          </div>
        </div>
        <PaymentState receipt={receipt} />
      </div>
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 print:grid-cols-2">
        <Fact name="Receipt number">
          <span className="break-all font-mono">{number ?? receipt.payment_id}</span>
        </Fact>
        <Fact name="Date">
          <DateTime at={receipt.paid_at} format="exact" className="whitespace-normal" />
        </Fact>
        <Fact name="Sold by">
          <Party name={seller.name ?? host} address={seller.address} vatId={seller.vatId} />
        </Fact>
        <Fact name="Sold to">
          <Party name={customer.name} address={customer.address} vatId={customer.vat_id} />
        </Fact>
        <Fact name="Paid with">{receipt.paid_with ?? 'Not reported by the payment provider'}</Fact>
        {number !== null && (
          <Fact name="Payment">
            <span className="break-all font-mono">{receipt.payment_id}</span>
          </Fact>
        )}
        <Fact name="Order">
          <span className="break-all font-mono">{receipt.order_id}</span>
        </Fact>
      </dl>
    </>
  );
}

interface PartyProps {
  name: string;
  address: string | null;
  vatId: string | null;
}

function Party({ name, address, vatId }: PartyProps) {
  return (
    <>
      <p>{name}</p>
      {address && <p className="whitespace-pre-line font-normal">{address}</p>}
      {vatId && <p className="font-normal">VAT ID: {vatId}</p>}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted">{name}</dt>
      <dd className="mt-0.5 font-medium">{children}</dd>
    </div>
  );
}

function ReceiptLines({ receipt, host }: Pick<ReceiptViewProps, 'receipt' | 'host'>) {
  const { refunded_usd, disputed_usd, credit_taken_back_usd } = receipt;
  return (
    <dl>
      <Line name={`Prepaid credit at ${host}`} usd={receipt.credit_usd} />
      <Line name="Fee" usd={receipt.fee_usd} />
      <Line name="Total paid" usd={receipt.total_usd} strong />
      {refunded_usd > 0 && <Line name="Refunded" usd={-refunded_usd} />}
      {disputed_usd > 0 && <Line name="Disputed" usd={-disputed_usd} />}
      {credit_taken_back_usd > 0 && <Line name="Credit reversed" usd={-credit_taken_back_usd} quiet />}
    </dl>
  );
}

interface LineProps {
  name: string;
  usd: number;
  strong?: boolean;
  quiet?: boolean;
}

function Line({ name, usd, strong, quiet }: LineProps) {
  return (
    <div
      className={
        strong
          ? 'flex justify-between gap-6 border-t-2 border-line-strong py-3 font-semibold text-base'
          : 'flex justify-between gap-6 border-t py-3'
      }
    >
      <dt className={quiet ? 'text-muted' : undefined}>{name}</dt>
      <dd className={quiet ? 'text-muted' : undefined}>
        <Money usd={usd} />
      </dd>
    </div>
  );
}
