import { type EmailBrand, renderLinkEmail } from '../../platform/email/render-link-email';
import type { EmailMessage } from '../../platform/ports/ports';

/** Renders the email with the sign-in link. */
export function renderSignInEmail(to: string, url: string, brand: EmailBrand): EmailMessage {
  const title = `Sign in to ${brand.name}`;
  return renderLinkEmail(
    {
      to,
      subject: title,
      heading: title,
      body: [`Use this link to sign in at ${new URL(url).host} as ${to}.`],
      button: 'Sign in',
      url,
      note: 'This link works once and expires in 24 hours. If you did not request it, ignore this email.',
    },
    brand,
  );
}
