import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Suspense } from 'react';
import { AccountFrozen } from '@/components/billing/account-frozen';
import { BillingView } from '@/components/billing/billing-view';
import { BillingSkeleton } from '@/components/billing/skeletons';
import {
  readFilters,
  STATEMENT_PAGE,
  type StatementFilters,
  writeFilters,
} from '@/components/billing/statement-filters';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import { toGatewayError } from '@/server/core/errors/to-gateway-error';
import { getAdminCommand } from '@/server/kit/admin-command';
import type { BillingBalance } from '@/server/money/billing/schema';

export const metadata: Metadata = { title: 'Billing' };

/** The initial amount in the form. */
const FIRST_AMOUNT_USD = 10;

export default async function BillingPage({ searchParams }: { searchParams: QueryParams }) {
  const params = await searchParams;
  const slug = firstValue(params.billing).slice(0, 64) || undefined;
  const filters = readFilters((name) => firstValue(params[name]) || null);
  const viewer = await requireViewer(`/dashboard/billing${writeFilters(filters, slug)}`);
  const balance = await findBalance();
  if (!balance) return <AccountFrozen />;
  const account = balance.accounts.find((each) => (each.slug ?? undefined) === slug);
  if (!account) notFound();
  // No loading.tsx, so that an unknown account is an HTTP 404 and sign-in returns to the same view.
  return (
    <Suspense fallback={<BillingSkeleton />}>
      <LoadedBilling email={viewer.email} billing={slug} {...{ account, balance, filters }} />
    </Suspense>
  );
}

interface LoadedBillingProps {
  email: string;
  billing: string | undefined;
  account: BillingBalance['accounts'][number];
  balance: BillingBalance;
  filters: StatementFilters;
}

async function LoadedBilling(props: LoadedBillingProps) {
  const { billing, filters, account } = props;
  const api = await createCaller();
  const [terms, quote, preferences, standing, statement, payments, details] = await Promise.all([
    api.billing.terms(),
    api.billing.quote({ amount_usd: FIRST_AMOUNT_USD }),
    api.billing.preferences({ billing }),
    api.billing.statement({ billing, limit: 1 }),
    api.billing.dayStatement({ billing, ...filters, limit: STATEMENT_PAGE }),
    api.billing.payments({ billing }),
    account.role === 'member' ? null : api.billing.details({ billing }),
  ]);
  // The key resets the form, so that input for one account is not shown for another.
  return (
    <BillingView
      key={account.id}
      {...props}
      adminCommand={getAdminCommand()}
      data={{ terms, quote, preferences, standing, statement, payments, details }}
    />
  );
}

/** Returns null if an operator has frozen the account. */
async function findBalance(): Promise<BillingBalance | null> {
  const api = await createCaller();
  return await api.billing.balance().catch((error: unknown) => {
    if (toGatewayError(error).code === 'FORBIDDEN') return null;
    throw error;
  });
}
