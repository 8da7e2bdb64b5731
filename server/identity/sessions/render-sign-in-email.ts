import { renderLinkEmail } from '../../platform/email/render-link-email';
import type { EmailMessage } from '../../platform/ports/ports';

/** Renders the email with the sign-in link. */
export function renderSignInEmail(to: string, url: string): EmailMessage {
  const title = `Sign in to ${new URL(url).host}`;
  return renderLinkEmail({
    to,
    subject: title,
    heading: title,
    button: 'Sign in',
    url,
    note: 'This link works once and expires in 24 hours. If you did not request it, ignore this email.',
  });
}
