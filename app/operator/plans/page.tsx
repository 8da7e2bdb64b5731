import { PlansView } from '@/components/operator/plans-view';
import { operatorTitle, requireOperator } from '@/server/api/pages/require-operator';
import { createCaller } from '@/server/api/trpc/caller';

export const generateMetadata = operatorTitle('Plans');

export default async function PlansPage() {
  await requireOperator();
  const api = await createCaller();
  return <PlansView initial={await api.operator.plans.list()} />;
}
