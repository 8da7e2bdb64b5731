import { ReconcileView } from '@/components/operator/reconcile-view';
import { operatorTitle, requireOperator } from '@/server/api/pages/require-operator';
import { createCaller } from '@/server/api/trpc/caller';

export const generateMetadata = operatorTitle('Reconcile');

export default async function ReconcilePage() {
  await requireOperator();
  const api = await createCaller();
  return <ReconcileView initial={await api.operator.reconcile.list({})} />;
}
