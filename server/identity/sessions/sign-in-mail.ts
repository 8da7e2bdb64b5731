import { linkMail } from '../../platform/email/link-mail';
import type { MailMessage } from '../../platform/ports/ports';

/** The mail with the link that signs one in. */
export function signInMail(to: string, url: string): MailMessage {
  const title = `Sign in to ${new URL(url).host}`;
  return linkMail({
    to,
    subject: title,
    heading: title,
    button: 'Sign in',
    url,
    note: 'The link works once, for 24 hours. If you did not ask for it, ignore this mail.',
  });
}
