import { readOperatorJobFilters } from '@/components/operator/job-filters';
import { OperatorJobsView } from '@/components/operator/jobs-view';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { operatorTitle, requireOperator } from '@/server/api/pages/require-operator';
import { createCaller } from '@/server/api/trpc/caller';

export const generateMetadata = operatorTitle('Jobs');

export default async function JobsPage({ searchParams }: { searchParams: QueryParams }) {
  await requireOperator();
  const params = await searchParams;
  const filters = readOperatorJobFilters((name) => firstValue(params[name]) || null);
  const api = await createCaller();
  return <OperatorJobsView initial={await api.operator.jobs.list(filters)} />;
}
