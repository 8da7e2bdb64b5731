import { noticeMail } from '../mails/notice-mail';
import type { MailMessage } from '../ports/ports';

/** The mail with the link that signs one in. */
export function signInMail(to: string, url: string): MailMessage {
  const title = `Sign in to ${new URL(url).host}`;
  return noticeMail(to, {
    subject: title,
    heading: title,
    paragraphs: [],
    button: 'Sign in',
    url,
    note: 'The link works once, for 24 hours. If you did not ask for it, ignore this mail.',
  });
}
