import { linkMail, oneLine } from '../../platform/email/link-mail';
import type { MailMessage } from '../../platform/ports/ports';
import { INVITATION_DAYS } from './invitation';
import type { GivenRole } from './schema';

interface InvitationMail {
  to: string;
  url: string;
  teamName: string;
  /** Name or email address. */
  inviter: string;
  role: GivenRole;
}

const MAY: Record<GivenRole, string> = {
  member: 'As a member, you and your agents can spend the team’s credit.',
  admin:
    'As an admin, you and your agents can spend the team’s credit and buy more, and you can manage its members.',
};

/** Renders the email with the invitation link. */
export function invitationMail({ to, url, teamName, inviter, role }: InvitationMail): MailMessage {
  const { host } = new URL(url);
  const team = oneLine(teamName);
  return linkMail({
    to,
    subject: `Join ${team} on ${host}`,
    heading: `${oneLine(inviter)} invites you to join ${team}`,
    body: [`${MAY[role]} Sign in at ${host} as ${to} to accept.`],
    button: 'View invitation',
    url,
    note: `This link works once and expires in ${INVITATION_DAYS} days. If you did not expect it, ignore this email: nothing happens until you accept.`,
  });
}
