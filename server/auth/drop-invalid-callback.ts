import { cookies } from 'next/headers';
import type { NextRequest } from 'next/server';

const COOKIE = 'next-auth.callback-url';

/**
 * Takes away a callbackUrl that is no address, in the query or in next-auth's cookie: next-auth takes it for a mistake in
 * our settings, and answers 500. Where a valid one may lead is decided by `safeRedirect`.
 */
export async function dropInvalidCallback({ nextUrl }: NextRequest, baseUrl: string): Promise<void> {
  const named = nextUrl.searchParams.getAll('callbackUrl');
  if (!named.every((url) => isAddress(url, baseUrl))) nextUrl.searchParams.delete('callbackUrl');
  const name = baseUrl.startsWith('https:') ? `__Secure-${COOKIE}` : COOKIE;
  const jar = await cookies();
  const kept = jar.get(name)?.value;
  if (kept && !isAddress(kept, baseUrl)) jar.delete(name);
}

/** As next-auth judges it. */
function isAddress(url: string, baseUrl: string): boolean {
  try {
    return /^https?:$/.test(new URL(url, url.startsWith('/') ? baseUrl : undefined).protocol);
  } catch {
    return false;
  }
}
