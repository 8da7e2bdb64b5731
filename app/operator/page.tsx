import { readInsight } from '@/components/operator/insight-view';
import { OverviewView } from '@/components/operator/overview-view';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { operatorTitle, requireOperator } from '@/server/api/pages/require-operator';
import { createCaller } from '@/server/api/trpc/caller';

export const generateMetadata = operatorTitle('Operator');

export default async function OperatorPage({ searchParams }: { searchParams: QueryParams }) {
  await requireOperator();
  const params = await searchParams;
  const api = await createCaller();
  const [overview, insight] = await Promise.all([
    api.operator.overview(),
    api.operator.insight(readInsight((name) => firstValue(params[name]))),
  ]);
  return <OverviewView overview={overview} insight={insight} />;
}
