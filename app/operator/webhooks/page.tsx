import { readEventState } from '@/components/operator/event-state';
import { WebhooksView } from '@/components/operator/webhooks-view';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { operatorTitle, requireOperator } from '@/server/api/pages/require-operator';
import { createCaller } from '@/server/api/trpc/caller';

export const generateMetadata = operatorTitle('Webhooks');

export default async function WebhooksPage({ searchParams }: { searchParams: QueryParams }) {
  await requireOperator();
  const state = readEventState(firstValue((await searchParams).state)) ?? undefined;
  const api = await createCaller();
  return <WebhooksView initial={await api.operator.webhooks.list({ state })} />;
}
