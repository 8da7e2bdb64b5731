import { OverviewView } from '@/components/operator/overview-view';
import { operatorTitle, requireOperator } from '@/server/api/pages/require-operator';
import { createCaller } from '@/server/api/trpc/caller';

export const generateMetadata = operatorTitle('Operator');

export default async function OperatorPage() {
  await requireOperator();
  const api = await createCaller();
  return <OverviewView overview={await api.operator.overview()} />;
}
