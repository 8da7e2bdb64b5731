import type { Metadata } from 'next';
import { Consent } from '@/components/oauth/consent';
import { FaultyRequest, RefusedRequest } from '@/components/oauth/refused-request';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import { toGatewayError } from '@/server/core/trpc/format-error';
import type { AuthorizationRequest, DescribedRequest } from '@/server/identity/oauth/schema';

/** The URL holds the authorization request, so the page sends no referrer and is not indexed. */
export const metadata: Metadata = {
  title: 'Connect an application',
  referrer: 'no-referrer',
  robots: { index: false, follow: false },
};

const PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const;

export default async function AuthorizePage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const query = await searchParams;
  const request: AuthorizationRequest = {};
  const address = new URLSearchParams();
  for (const name of PARAMETERS) {
    const value = query[name];
    if (value === undefined) continue;
    request[name] = value;
    for (const one of [value].flat()) address.append(name, one);
  }
  const path = `/oauth/authorize?${address}`;
  const viewer = await requireViewer(path);
  const api = await createCaller();
  const [described, balance] = await Promise.all([
    api.oauth.describe(request).catch(toRefusal),
    api.billing.balance().catch(() => null),
  ]);
  if (described.kind === 'refused') return <RefusedRequest problem={described.problem} />;
  if (described.kind === 'faulty') return <FaultyRequest described={described} />;
  return (
    <Consent
      request={request}
      described={described}
      email={viewer.email}
      availableUsd={balance?.available_usd ?? null}
      path={path}
    />
  );
}

/** Returns client mistakes and rate limits to show on the page; rethrows all other errors. */
function toRefusal(error: unknown): DescribedRequest {
  const { code, message } = toGatewayError(error);
  if (code !== 'INVALID_INPUT' && code !== 'RATE_LIMIT_EXCEEDED') throw error;
  return { kind: 'refused', problem: message };
}
