import type { Metadata } from 'next';
import { UnknownLink } from '@/components/claim/claim-outcomes';
import { ClaimView } from '@/components/claim/claim-view';
import { redirectIfFactorDue } from '@/server/api/pages/redirect-if-factor-due';
import { createCaller } from '@/server/api/trpc/caller';

/** The token is in the URL, so the page sends no referrer and is not indexed. */
export const metadata: Metadata = {
  title: 'Claim a key',
  referrer: 'no-referrer',
  robots: { index: false, follow: false },
};

const MAX_TOKEN_LENGTH = 200;

export default async function ClaimPage({
  searchParams,
}: {
  searchParams: Promise<{ token?: string | string[] }>;
}) {
  const { token } = await searchParams;
  if (typeof token !== 'string' || token === '' || token.length > MAX_TOKEN_LENGTH) return <UnknownLink />;
  await redirectIfFactorDue(`/claim?token=${encodeURIComponent(token)}`);
  const api = await createCaller();
  const [preview, viewer] = await Promise.all([
    api.auth.claimPreview({ token }),
    api.auth.viewer().catch(() => null),
  ]);
  return <ClaimView token={token} preview={preview} viewer={viewer} />;
}
