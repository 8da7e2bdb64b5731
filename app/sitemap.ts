import type { MetadataRoute } from 'next';
import { connection } from 'next/server';
import { getRuntime } from '@/server/runtime';
import { createCaller } from '@/server/trpc/caller';

/** The public pages: what this is, the catalogue, each tool. */
export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  await connection();
  const { baseUrl } = getRuntime().settings;
  const api = await createCaller();
  const { tools } = await api.tools.list({ limit: '500' });
  return [
    { url: `${baseUrl}/`, changeFrequency: 'weekly', priority: 1 },
    { url: `${baseUrl}/tools`, changeFrequency: 'daily', priority: 0.9 },
    ...tools.map(({ name }) => ({
      url: `${baseUrl}/tools/${encodeURIComponent(name)}`,
      changeFrequency: 'weekly' as const,
      priority: 0.7,
    })),
  ];
}
