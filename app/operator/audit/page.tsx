import { readAuditFilters } from '@/components/operator/audit-filters';
import { AuditView } from '@/components/operator/audit-view';
import { readTimeSort } from '@/components/operator/time-sort';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { operatorTitle, requireOperator } from '@/server/api/pages/require-operator';
import { createCaller } from '@/server/api/trpc/caller';

export const generateMetadata = operatorTitle('Audit');

export default async function AuditPage({ searchParams }: { searchParams: QueryParams }) {
  await requireOperator();
  const params = await searchParams;
  const get = (name: string) => firstValue(params[name]) || null;
  const api = await createCaller();
  const initial = await api.operator.audit({ ...readAuditFilters(get), sort: readTimeSort(get) });
  return <AuditView initial={initial} />;
}
