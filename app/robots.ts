import type { MetadataRoute } from 'next';
import { connection } from 'next/server';
import { getRuntime } from '@/server/core/runtime';

/** What is someone's own, needs a link's token, or is no page. */
const NOT_FOR_ROBOTS = [
  '/api/',
  '/assets/',
  '/claim',
  '/dashboard',
  '/files/',
  '/inbox',
  '/join',
  '/sign-in',
  '/stripe-standin',
  '/v1/',
];

export default async function robots(): Promise<MetadataRoute.Robots> {
  // Not while building: the address is the running gateway's.
  await connection();
  const { baseUrl } = getRuntime().settings;
  return {
    // llms.txt links the catalogue of the API: the longer rule wins (RFC 9309).
    rules: { userAgent: '*', allow: ['/', '/v1/tools'], disallow: NOT_FOR_ROBOTS },
    sitemap: `${baseUrl}/sitemap.xml`,
  };
}
