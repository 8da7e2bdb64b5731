import { PricingView } from '@/components/site/pricing-view';
import { createCaller } from '@/server/api/trpc/caller';
import { getRuntime } from '@/server/core/runtime';
import { publicPage } from '../../public-page';

export const metadata = publicPage({
  path: '/pricing',
  title: 'Pricing',
  description: 'Prepaid credit, charged per call: the price of every skill, and what buying credit costs.',
});

const EXAMPLE_AMOUNTS_USD = [10, 50, 200];

export default async function PricingPage() {
  const api = await createCaller();
  const [{ tools }, terms] = await Promise.all([api.tools.list({ limit: '500' }), api.billing.terms()]);
  const amounts = EXAMPLE_AMOUNTS_USD.filter((usd) => usd >= terms.min_usd && usd <= terms.max_usd);
  const quotes = await Promise.all(amounts.map((usd) => api.billing.quote({ amount_usd: usd })));
  // Tools for testing the gateway say little about its prices.
  const shown = tools.filter(({ categories }) => !categories.includes('testing'));
  const { provisioning } = getRuntime().settings.access;
  return <PricingView tools={shown} {...{ terms, quotes, provisioning }} />;
}
