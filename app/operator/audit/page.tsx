import { readAuditFilters } from '@/components/operator/audit-filters';
import { AuditView } from '@/components/operator/audit-view';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { operatorTitle, requireOperator } from '@/server/api/pages/require-operator';
import { createCaller } from '@/server/api/trpc/caller';

export const generateMetadata = operatorTitle('Audit');

export default async function AuditPage({ searchParams }: { searchParams: QueryParams }) {
  await requireOperator();
  const params = await searchParams;
  const filters = readAuditFilters((name) => firstValue(params[name]) || null);
  const api = await createCaller();
  return <AuditView initial={await api.operator.audit(filters)} />;
}
