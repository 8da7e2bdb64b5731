import type { Metadata } from 'next';
import { Consent } from '@/components/oauth/consent';
import { FaultyRequest, RefusedRequest } from '@/components/oauth/refused-request';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { setPageStatus } from '@/server/api/pages/set-page-status';
import { createCaller } from '@/server/api/trpc/caller';
import { toGatewayError } from '@/server/core/errors/to-gateway-error';
import type { AuthorizationRequest, DescribedRequest } from '@/server/identity/oauth/schema';

/** The URL holds the authorization request, so the page sends no referrer and is not indexed. */
export const metadata: Metadata = {
  title: 'Connect an application',
  referrer: 'no-referrer',
  robots: { index: false, follow: false },
};

const BAD_REQUEST = 400;
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
    describe(api, request),
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

/** Returns client mistakes and rate limits to show on the page, and sets its status for them. */
async function describe(
  api: Awaited<ReturnType<typeof createCaller>>,
  request: AuthorizationRequest,
): Promise<DescribedRequest> {
  try {
    const described = await api.oauth.describe(request);
    if (described.kind !== 'asked') await setPageStatus(BAD_REQUEST);
    return described;
  } catch (error) {
    const { code, status, message } = toGatewayError(error);
    if (code !== 'INVALID_INPUT' && code !== 'RATE_LIMIT_EXCEEDED') throw error;
    await setPageStatus(status);
    return { kind: 'refused', problem: message };
  }
}
