import type { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { clientIp } from '@/server/api/http/request-context';
import { textResponse, toFetchResponse } from '@/server/core/http/responses';
import { getRuntime } from '@/server/core/runtime';
import { dropInvalidCallback } from '@/server/identity/sessions/drop-invalid-callback';
import { authOptions } from '@/server/identity/sessions/options';
import { readAuthRequest } from '@/server/identity/sessions/read-auth-request';

export const dynamic = 'force-dynamic';

type Context = { params: Promise<{ nextauth: string[] }> };

/** GET on a sign-in link only opens the confirmation page, which sends a POST. */
export async function GET(request: NextRequest, context: Context): Promise<Response> {
  const { nextauth } = await context.params;
  if (nextauth.join('/') !== 'callback/email') return await answer(request, context);
  const { search } = new URL(request.url);
  return new Response(null, { status: 303, headers: { Location: `/sign-in/confirm${search}` } });
}

export async function POST(request: NextRequest, context: Context): Promise<Response> {
  return await answer(request, context);
}

async function answer(sent: NextRequest, context: Context): Promise<Response> {
  const { nextauth } = await context.params;
  // next-auth's `_log` endpoint lets any client write to our log.
  if (nextauth[0] === '_log') return toFetchResponse(textResponse(404, 'Not found'));
  const request = await readAuthRequest(sent);
  if (!request) return invalidRequest();
  const runtime = getRuntime();
  await dropInvalidCallback(request, runtime.settings.baseUrl);
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const source = { header, remoteAddress: header('x-gateway-peer') ?? '' };
  const ip = clientIp(source, runtime.settings.trustedProxyHops);
  return NextAuth(authOptions(runtime, ip, request.headers.get('user-agent')))(request, context);
}

function invalidRequest(): Response {
  const text = 'The form fields must be text without control characters. Open /sign-in and try again.';
  return toFetchResponse(textResponse(400, text));
}
