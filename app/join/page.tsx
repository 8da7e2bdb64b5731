import type { Metadata } from 'next';
import { UnknownInvitation } from '@/components/join/join-outcomes';
import { JoinView } from '@/components/join/join-view';
import { redirectIfFactorDue } from '@/server/api/pages/redirect-if-factor-due';
import { createCaller } from '@/server/api/trpc/caller';

/** The token is in the URL, so the page sends no referrer and is not indexed. */
export const metadata: Metadata = {
  title: 'Join a team',
  referrer: 'no-referrer',
  robots: { index: false, follow: false },
};

const MAX_TOKEN_LENGTH = 200;

export default async function JoinPage({
  searchParams,
}: {
  searchParams: Promise<{ token?: string | string[] }>;
}) {
  const { token } = await searchParams;
  if (typeof token !== 'string' || token === '' || token.length > MAX_TOKEN_LENGTH)
    return <UnknownInvitation />;
  await redirectIfFactorDue(`/join?token=${encodeURIComponent(token)}`);
  const api = await createCaller();
  const [preview, viewer] = await Promise.all([
    api.teams.previewInvitation({ token }),
    api.auth.viewer().catch(() => null),
  ]);
  return <JoinView token={token} preview={preview} viewer={viewer} />;
}
