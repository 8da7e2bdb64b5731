'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { problemText } from '../shared/problem';
import { DialogClose } from '../ui/dialog';
import { Fact } from '../ui/fact';
import { Notice } from '../ui/notice';
import { Skeleton } from '../ui/skeleton';
import { type Billing, detailsOptions } from './queries';

/** The billing details that an invoice would carry if it was issued now. */
export function InvoiceDetails({ billing }: { billing: Billing }) {
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
        The invoice will show only the name of the account. {change('Add billing details')}
      </Notice>
    );
  return (
    <div className="flex flex-col gap-3 text-sm">
      <dl className="grid gap-3 sm:grid-cols-2">
        <Fact name="Company name">{company || 'None: the name of the account'}</Fact>
        <Fact name="VAT ID">{vatId || 'None'}</Fact>
        <Fact name="Address">
          <span className="whitespace-pre-line">{address || 'None'}</span>
        </Fact>
      </dl>
      <p>{change('Change billing details')}</p>
    </div>
  );
}
