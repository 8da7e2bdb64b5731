import { type EmailBrand, renderLinkEmail } from '../../platform/email/render-link-email';
import type { EmailMessage } from '../../platform/ports/ports';

/** How long an invitation admits its address. */
export const SIGN_UP_INVITATION_DAYS = 30;

/** Renders the invitation of an operator. */
export function renderSignUpInvitation(to: string, baseUrl: string, brand: EmailBrand): EmailMessage {
  return renderLinkEmail(
    {
      to,
      subject: `You are invited to ${brand.name}`,
      heading: `You are invited to ${brand.name}`,
      body: [`Sign in as ${to} to create your account.`],
      button: 'Sign in',
      url: `${baseUrl}/sign-in`,
      note: `This invitation expires in ${SIGN_UP_INVITATION_DAYS} days. If you did not expect it, ignore this email.`,
    },
    brand,
  );
}

/**
 * Renders the answer to a sign-in of an address that may not sign up. It goes to the inbox: the
 * page must not reveal which addresses have an account.
 */
export function renderSignUpRefusal(to: string, baseUrl: string, brand: EmailBrand): EmailMessage {
  return renderLinkEmail(
    {
      to,
      subject: `You cannot sign up to ${brand.name} yet`,
      heading: `You cannot sign up to ${brand.name} yet`,
      body: [
        `Someone requested a sign-in link for ${to}. This address has no account here, and new accounts need an invitation.`,
        'Ask the operator of this gateway for one, or sign in with the address that has your account.',
      ],
      button: 'Go to the sign-in page',
      url: `${baseUrl}/sign-in`,
      note: 'If you did not request it, ignore this email.',
    },
    brand,
  );
}
