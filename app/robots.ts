import type { MetadataRoute } from 'next';
import { connection } from 'next/server';
import { getRuntime } from '@/server/core/runtime';

/** Private pages, pages that need a link's token, and routes that are not pages. */
const NOT_FOR_ROBOTS = [
  '/api/',
  '/assets/',
  '/claim',
  '/dashboard',
  '/files/',
  '/inbox',
  '/join',
  '/sign-in',
  '/fake-stripe',
  '/v1/',
];

export default async function robots(): Promise<MetadataRoute.Robots> {
  // Wait for a request: the base URL is that of the running gateway.
  await connection();
  const { baseUrl } = getRuntime().settings;
  return {
    // llms.txt links to /v1/tools, and the longer rule wins (RFC 9309).
    rules: { userAgent: '*', allow: ['/', '/v1/tools'], disallow: NOT_FOR_ROBOTS },
    sitemap: `${baseUrl}/sitemap.xml`,
  };
}
