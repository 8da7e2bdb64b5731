import { PromosView } from '@/components/operator/promos-view';
import { operatorTitle, requireOperator } from '@/server/api/pages/require-operator';
import { createCaller } from '@/server/api/trpc/caller';

export const generateMetadata = operatorTitle('Promo codes');

export default async function PromosPage() {
  await requireOperator();
  const api = await createCaller();
  return <PromosView initial={await api.operator.promos.list({})} />;
}
