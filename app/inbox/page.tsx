import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { InboxList } from '@/components/site/inbox-list';
import { NarrowPage } from '@/components/site/narrow-page';
import { getRuntime } from '@/server/core/runtime';
import { isTrustedHost } from '@/server/kit/trusted-host';
import { drawLogo } from '@/server/platform/brand/draw-logo';
import { LOGO_CID } from '@/server/platform/ports/ports';

export const metadata: Metadata = { title: 'Local inbox', robots: { index: false } };
/** Messages change at run time, so the page is never prerendered. */
export const dynamic = 'force-dynamic';

export default async function InboxPage() {
  const { ports, settings } = getRuntime();
  const { localMail } = ports;
  // A reader of the inbox can sign in as anyone, so it is served only on the gateway's own host.
  if (!localMail || !isTrustedHost((await headers()).get('host'), settings.baseUrl)) notFound();
  // Inline, because the frame of the HTML has no origin to load it from.
  const logo = `data:image/png;base64,${(await drawLogo(settings.brand)).toString('base64')}`;
  const mails = [...localMail.messages()]
    .sort((a, b) => b.sentAt.getTime() - a.sentAt.getTime())
    .map(({ id, to, subject, text, html, sentAt }) => ({
      id,
      to,
      subject,
      text,
      html: html.replaceAll('<a ', '<a target="_blank" ').replaceAll(`cid:${LOGO_CID}`, logo),
      sentAt: sentAt.toISOString(),
    }));
  return (
    <NarrowPage wide>
      <InboxList mails={mails} />
    </NarrowPage>
  );
}
