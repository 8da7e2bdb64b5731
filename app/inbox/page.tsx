import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { InboxList } from '@/components/site/inbox-list';
import { NarrowPage } from '@/components/site/narrow-page';
import { getRuntime } from '@/server/core/runtime';
import { isOwnHost } from '@/server/kit/own-host';

export const metadata: Metadata = { title: 'Local inbox', robots: { index: false } };
/** The mails of this moment, never of the build. */
export const dynamic = 'force-dynamic';

export default async function InboxPage() {
  const { ports, settings } = getRuntime();
  const { localMail } = ports;
  // Whoever reads it signs in as anyone.
  if (!localMail || !isOwnHost((await headers()).get('host'), settings.baseUrl)) notFound();
  const mails = [...localMail.messages()]
    .sort((a, b) => b.sentAt.getTime() - a.sentAt.getTime())
    .map(({ id, to, subject, text, sentAt }) => ({ id, to, subject, text, sentAt: sentAt.toISOString() }));
  return (
    <NarrowPage wide>
      <InboxList mails={mails} />
    </NarrowPage>
  );
}
