import { NextRequest } from 'next/server';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * A request that next-auth can read: its fields are texts without control characters. next-auth
 * answers 500 to a body that is no JSON or has other values, and PostgreSQL takes no NUL.
 * @returns the request, with its body to be read again; null where it is not valid
 */
export async function readAuthRequest(request: NextRequest): Promise<NextRequest | null> {
  if (![...request.nextUrl.searchParams].flat().every(isPlain)) return null;
  if (request.method !== 'POST') return request;
  const body = await request.text();
  const fields = readFields(request.headers.get('content-type') ?? '', body);
  if (!fields || !Object.entries(fields).flat().every(isPlain)) return null;
  const { method, headers, signal } = request;
  return new NextRequest(request.nextUrl, { method, headers, body, signal });
}

/** As next-auth reads them; null where it could not. */
function readFields(type: string, body: string): object | null {
  if (!type.includes('application/json')) return Object.fromEntries(new URLSearchParams(body));
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' && !CONTROL.test(value);
}
