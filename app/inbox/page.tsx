import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { InboxList } from '@/components/site/inbox-list';
import { NarrowPage } from '@/components/site/narrow-page';
import { getRuntime } from '@/server/core/runtime';
import { isTrustedHost } from '@/server/kit/trusted-host';

export const metadata: Metadata = { title: 'Local inbox', robots: { index: false } };
/** Messages change at run time, so the page is never prerendered. */
export const dynamic = 'force-dynamic';

export default async function InboxPage() {
  const { ports, settings } = getRuntime();
  const { localMail } = ports;
  // A reader of the inbox can sign in as anyone, so it is served only on the gateway's own host.
  if (!localMail || !isTrustedHost((await headers()).get('host'), settings.baseUrl)) notFound();
  const mails = [...localMail.messages()]
    .sort((a, b) => b.sentAt.getTime() - a.sentAt.getTime())
    .map(({ id, to, subject, text, sentAt }) => ({ id, to, subject, text, sentAt: sentAt.toISOString() }));
  return (
    <NarrowPage wide>
      <InboxList mails={mails} />
    </NarrowPage>
  );
}
