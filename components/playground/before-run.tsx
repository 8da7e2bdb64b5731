'use client';

import Link from 'next/link';
import { useId } from 'react';
import type { DryRunResult } from '@/server/calls/schema';
import type { Pricing } from '@/server/catalog/tools/schema';
import type { BillingBalance } from '@/server/money/billing/schema';
import { errorText } from '../shared/trpc-provider';
import { Money } from '../ui/money';
import { Notice } from '../ui/notice';
import { Select } from '../ui/select';
import type { useDryRun } from './queries';

export interface BeforeRunProps {
  check: ReturnType<typeof useDryRun>;
  pricing: Pricing;
  accounts: BillingBalance['accounts'];
  billing: string | undefined;
  onBilling: (slug: string | undefined) => void;
}

/** The maximum cost of the call, the account that pays, and obstacles apart from the input. */
export function BeforeRun({ check, pricing, accounts, billing, onBilling }: BeforeRunProps) {
  const { data, isError, error } = check;
  const payerId = useId();
  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
        <p role="status" aria-label="Price of this call">
          <Price check={check} pricing={pricing} />
        </p>
        {accounts.length > 1 && (
          <label htmlFor={payerId} className="flex items-center gap-2">
            <span className="text-muted">Paid by</span>
            <Select
              id={payerId}
              className="w-44"
              value={billing ?? ''}
              onChange={({ target }) => onBilling(target.value === '' ? undefined : target.value)}
            >
              {accounts.map((account) => (
                <option key={account.id} value={account.type === 'team' ? (account.slug ?? '') : ''}>
                  {account.type === 'team' ? account.name : 'Personal'}
                </option>
              ))}
            </Select>
          </label>
        )}
      </div>
      {isError && !data ? (
        <Notice tone="danger" live title="This call cannot be made">
          {errorText(error)}
        </Notice>
      ) : (
        data && <Obstacles data={data} billing={billing} />
      )}
    </>
  );
}

function Price({ check: { data, current }, pricing }: Pick<BeforeRunProps, 'check' | 'pricing'>) {
  if (pricing.free) return 'Free';
  // An invalid input has no price.
  if (!data?.input_valid)
    return <span className="text-muted">The price appears once the input is valid.</span>;
  return (
    <span className={current ? undefined : 'text-muted'}>
      Up to <Money usd={data.estimated_cost_usd} exact className="font-medium" />
      <span className="text-muted">
        {' '}
        of <Money usd={data.billing.balance_usd} down />
      </span>
    </span>
  );
}

function Obstacles({ data, billing }: { data: DryRunResult; billing: string | undefined }) {
  const { unavailable_reason, credentials_ok, missing_credentials, billing: money, rate_limit } = data;
  const buy = billing ? `/dashboard/billing?billing=${encodeURIComponent(billing)}` : '/dashboard/billing';
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {unavailable_reason !== undefined && (
        <Notice tone="warning" title="Unavailable on this gateway">
          {unavailable_reason}
        </Notice>
      )}
      {!credentials_ok && (
        <Notice tone="warning" title="Provider key required">
          This skill needs a provider key for{' '}
          {missing_credentials.map(({ displayName }) => displayName).join(' or ')}.{' '}
          <Link href="/dashboard/provider-keys" className="link">
            Add a provider key
          </Link>
        </Notice>
      )}
      {data.input_valid && !money.sufficient && (
        <Notice tone="warning" title="Not enough credit">
          You have <Money usd={money.balance_usd} down />, and this call may cost{' '}
          <Money usd={data.estimated_cost_usd} exact />.{' '}
          <Link href={buy} className="link">
            Buy credit
          </Link>
        </Notice>
      )}
      {rate_limit.remaining === 0 && (
        <Notice tone="warning" title="Rate limit reached">
          All {rate_limit.limit} calls of the rate limit are used. Playground calls are limited like those of
          an API key. Wait, then try again.
        </Notice>
      )}
    </div>
  );
}
