'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { problemText } from '../shared/problem';
import { DialogClose } from '../ui/dialog';
import { Fact } from '../ui/fact';
import { Notice } from '../ui/notice';
import { Skeleton } from '../ui/skeleton';
import { type Billing, detailsOptions, receiptOptions } from './queries';

interface InvoiceDetailsProps {
  billing: Billing;
  paymentId: string;
}

/** The customer that the invoice of a payment names, or its receipt once it is completed. */
export function InvoiceDetails({ billing, paymentId }: InvoiceDetailsProps) {
  const receipt = useQuery(receiptOptions(paymentId));
  if (receipt.isPending) return <Skeleton className="h-16" />;
  if (receipt.isError)
    return (
      <Notice tone="warning" title="The receipt could not be loaded">
        {problemText(receipt.error)}
      </Notice>
    );
  const { completable, customer } = receipt.data;
  if (completable) return <SavedDetails billing={billing} />;
  return (
    <div className="flex flex-col gap-3 text-sm">
      <CustomerFacts name={customer.name} address={customer.address} vatId={customer.vat_id} />
      <p className="text-muted">As on the receipt, since it was made.</p>
    </div>
  );
}

/** The billing details of this moment. */
function SavedDetails({ billing }: { billing: Billing }) {
  const details = useQuery(detailsOptions(billing));
  const query = billing === undefined ? '' : `?billing=${encodeURIComponent(billing)}`;
  const change = (words: string) => (
    <DialogClose>
      <Link href={`/dashboard/billing${query}#billing-details`} className="link">
        {words}
      </Link>
    </DialogClose>
  );
  if (details.isPending) return <Skeleton className="h-16" />;
  if (details.isError)
    return (
      <Notice tone="warning" title="The billing details could not be loaded">
        {problemText(details.error)}
      </Notice>
    );
  const { company_name: company, address, vat_id: vatId } = details.data;
  if (!company && !address && !vatId)
    return (
      <Notice tone="warning" title="No billing details are saved">
        Only the name of the account would be shown. {change('Add billing details')}
      </Notice>
    );
  return (
    <div className="flex flex-col gap-3 text-sm">
      <CustomerFacts name={company || 'None: the name of the account'} address={address} vatId={vatId} />
      <p>{change('Change billing details')}</p>
    </div>
  );
}

function CustomerFacts({ name, address, vatId }: { name: string; address: string; vatId: string }) {
  return (
    <dl className="grid gap-3 sm:grid-cols-2">
      <Fact name="Company name">{name}</Fact>
      <Fact name="VAT ID">{vatId || 'None'}</Fact>
      <Fact name="Address">
        <span className="whitespace-pre-line">{address || 'None'}</span>
      </Fact>
    </dl>
  );
}
