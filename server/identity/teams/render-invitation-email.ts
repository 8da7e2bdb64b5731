import { type EmailBrand, renderLinkEmail, toSafeLine } from '../../platform/email/render-link-email';
import type { EmailMessage } from '../../platform/ports/ports';
import { INVITATION_DAYS } from './invitation';
import type { GivenRole } from './schema';

interface InvitationEmail {
  to: string;
  url: string;
  teamName: string;
  /** Name or email address. */
  inviter: string;
  role: GivenRole;
}

const ROLE_RIGHTS: Record<GivenRole, string> = {
  member: 'As a member, you and your agents can spend the team’s credit.',
  admin:
    'As an admin, you and your agents can spend the team’s credit and buy more, and you can manage its members, keys and limits.',
};

/** Renders the email with the invitation link. */
export function renderInvitationEmail(
  { to, url, teamName, inviter, role }: InvitationEmail,
  brand: EmailBrand,
): EmailMessage {
  const team = toSafeLine(teamName);
  return renderLinkEmail(
    {
      to,
      subject: `Join ${team} on ${brand.name}`,
      heading: `${toSafeLine(inviter)} invites you to join ${team}`,
      body: [`${ROLE_RIGHTS[role]} Sign in at ${new URL(url).host} as ${to} to accept.`],
      button: 'View invitation',
      url,
      note: `This link works once and expires in ${INVITATION_DAYS} days. If you did not expect it, ignore this email: nothing happens until you accept.`,
    },
    brand,
  );
}
