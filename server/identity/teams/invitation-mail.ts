import { linkMail, oneLine } from '../../platform/email/link-mail';
import type { MailMessage } from '../../platform/ports/ports';
import { INVITATION_DAYS } from './invitation';
import type { GivenRole } from './schema';

interface InvitationMail {
  to: string;
  url: string;
  teamName: string;
  /** Name or address. */
  inviter: string;
  role: GivenRole;
}

const MAY: Record<GivenRole, string> = {
  member: 'As a member you and your agents can spend from the credit of the team.',
  admin:
    'As an admin you and your agents can spend from the credit of the team and buy more for it, and you manage who is in it.',
};

/** The mail with the link that leads into a team. */
export function invitationMail({ to, url, teamName, inviter, role }: InvitationMail): MailMessage {
  const { host } = new URL(url);
  const team = oneLine(teamName);
  return linkMail({
    to,
    subject: `Join ${team} on ${host}`,
    heading: `${oneLine(inviter)} invites you to join ${team}`,
    body: [`${MAY[role]} Sign in at ${host} as ${to} to accept.`],
    button: 'See the invitation',
    url,
    note: `The link works once, for ${INVITATION_DAYS} days. If you did not expect it, ignore this mail: nothing happens until you accept.`,
  });
}
