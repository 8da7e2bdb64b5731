import { notFound } from 'next/navigation';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { readView, writeView } from '@/components/usage/view';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import { toGatewayError } from '@/server/core/errors/to-gateway-error';
import type { BillingBalance } from '@/server/money/billing/schema';
import type { UsageFilter } from '@/server/usage/schema';

interface UsagePageInput {
  filter: UsageFilter;
  /** Null if an operator has frozen the account. */
  accounts: BillingBalance['accounts'] | null;
}

/** Reads the filter of a usage page, after sign-in; 404 for an account that is not the viewer's. */
export async function readUsagePage(path: string, searchParams: QueryParams): Promise<UsagePageInput> {
  const params = await searchParams;
  const filter = readView((name) => firstValue(params[name]) || null);
  await requireViewer(`${path}${writeView(filter)}`);
  const api = await createCaller();
  const balance = await api.billing.balance().catch(nullIfFrozen);
  if (!balance) return { filter, accounts: null };
  const { accounts } = balance;
  if (filter.billing !== undefined && !accounts.some(({ slug }) => slug === filter.billing)) notFound();
  return { filter, accounts };
}

function nullIfFrozen(error: unknown): null {
  if (toGatewayError(error).code === 'FORBIDDEN') return null;
  throw error;
}

/** For `catch`: what the filter names, such as a key, may not be the viewer's. */
export function notFoundIfUnknown(error: unknown): never {
  if (toGatewayError(error).code === 'NOT_FOUND') notFound();
  throw error;
}
