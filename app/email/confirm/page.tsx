import type { Metadata } from 'next';
import { ClosedEmailLink } from '@/components/account/closed-email-link';
import { ConfirmEmail } from '@/components/account/email-link';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { createCaller } from '@/server/api/trpc/caller';

/** The token is in the URL, so the page sends no referrer and is not indexed. */
export const metadata: Metadata = {
  title: 'Change your email',
  referrer: 'no-referrer',
  robots: { index: false, follow: false },
};

const MAX_TOKEN_LENGTH = 100;

export default async function ConfirmEmailPage({ searchParams }: { searchParams: QueryParams }) {
  const token = firstValue((await searchParams).token);
  if (token === '' || token.length > MAX_TOKEN_LENGTH)
    return <ClosedEmailLink link="confirm" state="unknown" />;
  const api = await createCaller();
  const preview = await api.security.previewEmailChange({ token });
  if (preview.link !== 'confirm') return <ClosedEmailLink link="confirm" state="unknown" />;
  if (preview.state !== 'open') return <ClosedEmailLink link="confirm" state={preview.state} />;
  return <ConfirmEmail token={token} preview={preview} />;
}
