import { OverviewView } from '@/components/operator/overview-view';
import { operatorTitle, requireOperator } from '@/server/auth/require-operator';
import { createCaller } from '@/server/trpc/caller';

export const generateMetadata = operatorTitle('Operator');

export default async function OperatorPage() {
  await requireOperator();
  const api = await createCaller();
  return <OverviewView overview={await api.operator.overview()} />;
}
