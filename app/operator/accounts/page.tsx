import { readAccountFilters } from '@/components/operator/account-filters';
import { AccountsView } from '@/components/operator/accounts-view';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { operatorTitle, requireOperator } from '@/server/api/pages/require-operator';
import { createCaller } from '@/server/api/trpc/caller';

export const generateMetadata = operatorTitle('Accounts');

export default async function AccountsPage({ searchParams }: { searchParams: QueryParams }) {
  await requireOperator();
  const params = await searchParams;
  const filters = readAccountFilters((name) => firstValue(params[name]) || null);
  const api = await createCaller();
  return <AccountsView initial={await api.operator.accounts.list(filters)} />;
}
