import type { MetadataRoute } from 'next';
import { connection } from 'next/server';
import { createCaller } from '@/server/api/trpc/caller';
import { getRuntime } from '@/server/core/runtime';

/** The public pages: home, prices, comparisons, documentation, catalogue and each tool. */
export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  await connection();
  const { baseUrl } = getRuntime().settings;
  const api = await createCaller();
  const [{ tools }, guides, comparisons, reference] = await Promise.all([
    api.tools.list({ limit: '500' }),
    api.guides.list(),
    api.guides.comparisons(),
    api.guides.api(),
  ]);
  return [
    { url: `${baseUrl}/`, changeFrequency: 'weekly', priority: 1 },
    { url: `${baseUrl}/tools`, changeFrequency: 'daily', priority: 0.9 },
    { url: `${baseUrl}/pricing`, changeFrequency: 'daily', priority: 0.9 },
    { url: `${baseUrl}/status`, changeFrequency: 'hourly', priority: 0.3 },
    { url: `${baseUrl}/compare`, changeFrequency: 'monthly', priority: 0.6 },
    { url: `${baseUrl}/docs`, changeFrequency: 'weekly', priority: 0.9 },
    { url: `${baseUrl}/docs/api`, changeFrequency: 'weekly', priority: 0.8 },
    { url: `${baseUrl}/docs/api/schemas`, changeFrequency: 'weekly', priority: 0.5 },
    ...[...reference.groups, ...reference.schemas].map(({ href }) => ({
      url: baseUrl + href,
      changeFrequency: 'weekly' as const,
      priority: 0.5,
    })),
    ...comparisons.map(({ href }) => ({
      url: baseUrl + href,
      changeFrequency: 'monthly' as const,
      priority: 0.5,
    })),
    ...guides.map(({ href }) => ({
      url: baseUrl + href,
      changeFrequency: 'monthly' as const,
      priority: 0.6,
    })),
    ...tools.map(({ name }) => ({
      url: `${baseUrl}/tools/${encodeURIComponent(name)}`,
      changeFrequency: 'weekly' as const,
      priority: 0.7,
    })),
  ];
}
