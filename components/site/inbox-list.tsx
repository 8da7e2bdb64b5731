import { Inbox } from 'lucide-react';
import { Card } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { Notice } from '../ui/notice';

export interface InboxMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  /** ISO 8601. */
  sentAt: string;
}

/** Mails that were kept instead of sent, newest first. */
export function InboxList({ mails }: { mails: InboxMail[] }) {
  return (
    <div className="flex flex-col gap-6">
      <h1 className="text-2xl">Local inbox</h1>
      <Notice tone="warning" title="This page exists because no mail server is set up">
        Anyone who can open this address can read these mails and sign in with their links. Set SMTP_URL and
        this page is gone. Mails are kept in memory until the gateway stops.
      </Notice>
      {mails.length === 0 ? (
        <Card>
          <EmptyState
            icon={<Inbox />}
            title="No mail yet"
            action={
              <a href="/sign-in" className="link text-sm">
                Ask for a sign-in link
              </a>
            }
          >
            Mails to everyone arrive here.
          </EmptyState>
        </Card>
      ) : (
        <ol className="flex flex-col gap-4">
          {mails.map((mail) => (
            <li key={mail.id}>
              <Mail mail={mail} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Mail({ mail }: { mail: InboxMail }) {
  return (
    <Card>
      <article aria-label={`${mail.subject}, to ${mail.to}`}>
        <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-b px-4 py-3 sm:px-5">
          <h2 className="text-base">{mail.subject}</h2>
          <DateTime at={mail.sentAt} className="text-muted text-sm" />
          <p className="w-full break-all text-muted text-sm">to {mail.to}</p>
        </header>
        <p className="whitespace-pre-line break-words px-4 py-4 text-sm sm:px-5">{withLinks(mail.text)}</p>
      </article>
    </Card>
  );
}

const LINK = /(https?:\/\/[^\s<>"]+)/;

/** The text with its addresses as links: every second part of the split is one. */
function withLinks(text: string) {
  return text.split(LINK).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text
      <a key={index} href={part} rel="noreferrer" className="link break-all">
        {part}
      </a>
    ) : (
      part
    ),
  );
}
