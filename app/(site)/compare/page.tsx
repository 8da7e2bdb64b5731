import { CompareList } from '@/components/site/compare-list';
import { createCaller } from '@/server/api/trpc/caller';
import { publicPage } from '../../public-page';

export const metadata = publicPage({
  path: '/compare',
  title: 'Compare',
  description: 'This gateway next to OpenRouter, LiteLLM, Portkey, Composio and Apify, with sources.',
});

export default async function ComparePage() {
  const api = await createCaller();
  return <CompareList comparisons={await api.guides.comparisons()} />;
}
