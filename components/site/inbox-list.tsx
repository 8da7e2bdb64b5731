import { Card } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { Inbox } from '../ui/icons';
import { Notice } from '../ui/notice';
import { EmailHtml } from './email-html';

export interface InboxMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** ISO 8601. */
  sentAt: string;
}

/** Emails that were stored instead of sent, newest first. */
export function InboxList({ mails }: { mails: InboxMail[] }) {
  return (
    <div className="flex flex-col gap-6">
      <h1 className="text-2xl">Local inbox</h1>
      <Notice tone="warning" title="This page exists because no email server is configured">
        Anyone who can open this page can read these emails and sign in with their links. Set SMTP_URL to
        remove this page. Emails are kept in memory until the gateway stops.
      </Notice>
      {mails.length === 0 ? (
        <Card>
          <EmptyState
            icon={<Inbox />}
            title="No emails yet"
            action={
              <a href="/sign-in" className="link text-sm">
                Request a sign-in link
              </a>
            }
          >
            Emails to all recipients arrive here.
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
          <DateTime at={mail.sentAt} format="exact" className="text-muted text-sm" />
          <p className="w-full break-all text-muted text-sm">to {mail.to}</p>
        </header>
        <EmailHtml subject={mail.subject} html={mail.html} />
        <p className="whitespace-pre-line break-words px-4 py-4 text-sm sm:px-5">{withLinks(mail.text)}</p>
      </article>
    </Card>
  );
}

const LINK = /(https?:\/\/[^\s<>"]+)/;

/** The text with URLs as links. Odd parts of the split are the URLs. */
function withLinks(text: string) {
  return text.split(LINK).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text are never reordered
      <a key={index} href={part} rel="noreferrer" className="link break-all">
        {part}
      </a>
    ) : (
      part
    ),
  );
}
