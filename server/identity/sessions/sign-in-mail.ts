import { linkMail } from '../../platform/email/link-mail';
import type { MailMessage } from '../../platform/ports/ports';

/** Renders the email with the sign-in link. */
export function signInMail(to: string, url: string): MailMessage {
  const title = `Sign in to ${new URL(url).host}`;
  return linkMail({
    to,
    subject: title,
    heading: title,
    button: 'Sign in',
    url,
    note: 'This link works once and expires in 24 hours. If you did not request it, ignore this email.',
  });
}
