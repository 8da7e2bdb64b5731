import { NextRequest } from 'next/server';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Accepts a request whose fields are strings without control characters. next-auth responds with
 * 500 to a malformed body or other values, and PostgreSQL rejects NUL.
 * @returns the request, with a body that can be read again; null if it is not valid
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

/** Parses the fields as next-auth does; null if it could not. */
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
