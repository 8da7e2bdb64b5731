import { cookies } from 'next/headers';
import type { NextRequest } from 'next/server';

const COOKIE = 'next-auth.callback-url';

/**
 * Removes an invalid callbackUrl from the query and from next-auth's cookie, because next-auth
 * would respond with 500. `safeRedirect` decides where a valid one may lead.
 */
export async function dropInvalidCallback({ nextUrl }: NextRequest, baseUrl: string): Promise<void> {
  const named = nextUrl.searchParams.getAll('callbackUrl');
  if (!named.every((url) => isAddress(url, baseUrl))) nextUrl.searchParams.delete('callbackUrl');
  const name = baseUrl.startsWith('https:') ? `__Secure-${COOKIE}` : COOKIE;
  const jar = await cookies();
  const stored = jar.get(name)?.value;
  if (stored && !isAddress(stored, baseUrl)) jar.delete(name);
}

/** Applies next-auth's own rule. */
function isAddress(url: string, baseUrl: string): boolean {
  try {
    return /^https?:$/.test(new URL(url, url.startsWith('/') ? baseUrl : undefined).protocol);
  } catch {
    return false;
  }
}
