import { readToolPeriod } from '@/components/operator/tool-period';
import { ToolsView } from '@/components/operator/tools-view';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { operatorTitle, requireOperator } from '@/server/api/pages/require-operator';
import { createCaller } from '@/server/api/trpc/caller';

export const generateMetadata = operatorTitle('Tools');

export default async function ToolsPage({ searchParams }: { searchParams: QueryParams }) {
  await requireOperator();
  const period = readToolPeriod(firstValue((await searchParams).period));
  const api = await createCaller();
  const { tools } = await api.operator.tools.list({ period });
  return <ToolsView initial={tools} period={period} />;
}
