import type { Executor } from '@/db/client';
import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import { takeFromWindow } from '../../core/limits/store';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { newId } from '../../kit/ids';
import { consumeEmailQuota, EmailLimitReached } from '../../platform/email/consume-email-quota';
import type { EmailMessage } from '../../platform/ports/ports';
import { describeInvitation, getDisplayName, INVITATION_DAYS } from './invitation';
import { countOtherOpen, findInvitation, type InvitationRow, upsertInvitation } from './invitation-store';
import { hashInvitationToken, newInvitationToken } from './invitation-token';
import { lockTeam } from './lock-team';
import { invalidField, refused, refuseFrozen } from './refusal';
import { renderInvitationEmail } from './render-invitation-email';
import type { GivenRole, SentInvitation } from './schema';
import { countMembers, isMemberByEmail } from './store';

export const MAX_MEMBERS = 200;
export const MAX_OPEN_INVITATIONS = 50;
/** Prevents the use of teams to send unsolicited email. */
export const MAX_EMAILS_PER_HOUR = { team: 50, person: 100 } as const;
const HOUR_SECONDS = 3600;

interface InvitationRequest {
  slug: string;
  /** Normalized. */
  email: string;
  role: GivenRole;
}

/**
 * Invites an address to a team, or sends an unanswered invitation again with a new link; the old
 * link stops working.
 * @throws GatewayError INVALID_INPUT naming `email` for a member's address; FORBIDDEN if the team
 *   or its list of invitations is full; RATE_LIMIT_EXCEEDED for too many emails
 */
export async function inviteMember(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  actor: SessionActor,
  wanted: InvitationRequest,
  clientIp?: string,
): Promise<SentInvitation> {
  refuseFrozen(actor);
  const token = newInvitationToken();
  const invitation = await runtime.db.transaction(async (tx) => {
    const put = await upsertOpenInvitation(tx, actor, wanted, token);
    await consumeSharedQuota(tx, runtime, wanted.email, clientIp);
    return put;
  });
  const url = `${runtime.settings.baseUrl}/join?token=${token}`;
  const content = {
    to: wanted.email,
    url,
    teamName: invitation.team_name,
    inviter: getDisplayName(invitation.inviter_name, invitation.inviter_email) ?? 'Someone',
    role: wanted.role,
  };
  const mail = renderInvitationEmail(content, runtime.settings.brand);
  return { invitation: describeInvitation(invitation), url, mail: await sendEmail(runtime, mail) };
}

async function upsertOpenInvitation(
  tx: Executor,
  actor: SessionActor,
  { slug, email, role }: InvitationRequest,
  token: string,
): Promise<InvitationRow> {
  const { team } = await lockTeam(tx, actor, slug, 'admin');
  if (await isMemberByEmail(tx, team.id, email))
    throw invalidField(
      'email',
      `${email} is already in the team.`,
      'Change their role in the list of members.',
    );
  if ((await countMembers(tx, team.id)) >= MAX_MEMBERS)
    throw refused(`The team already has ${MAX_MEMBERS} members, the maximum.`, 'Remove a member first.');
  if ((await countOtherOpen(tx, team.id, email)) >= MAX_OPEN_INVITATIONS)
    throw refused(
      `The team has ${MAX_OPEN_INVITATIONS} open invitations, the maximum.`,
      'Revoke some, or wait until they are answered.',
    );
  await consumeInvitationQuota(tx, 'team', team.id);
  await consumeInvitationQuota(tx, 'person', actor.userId);
  const id = newId('invitation');
  const row = { id, accountId: team.id, email, role, invitedBy: actor.userId };
  const put = await upsertInvitation(tx, { ...row, tokenHash: hashInvitationToken(token) }, INVITATION_DAYS);
  await writeAudit(tx, {
    actor: actorName(actor),
    action: put === id ? 'team.invite' : 'team.invite_again',
    accountId: team.id,
    target: put,
    details: { role },
  });
  const invitation = await findInvitation(tx, team.id, put);
  if (!invitation) throw new Error('An invitation vanished while its team was locked');
  return invitation;
}

/** Counts one email against the hourly limit of a team, or of a person across teams. */
async function consumeInvitationQuota(
  tx: Executor,
  of: keyof typeof MAX_EMAILS_PER_HOUR,
  subject: string,
): Promise<void> {
  const quota = MAX_EMAILS_PER_HOUR[of];
  const window = { scope: `invitations-of-${of}`, subject, quota, seconds: HOUR_SECONDS };
  const { taken, resetSeconds } = await takeFromWindow(tx, window);
  if (taken) return;
  throw new GatewayError('RATE_LIMIT_EXCEEDED', {
    message: `The limit of ${quota} invitations per hour for one ${of} is reached.`,
    hint: `Try again in ${Math.ceil(resetSeconds / 60)} min.`,
    details: { limit: 'hour', retry_after: resetSeconds },
  });
}

/**
 * Counts the email against the limits that all teams share: per address, per network and in total.
 */
async function consumeSharedQuota(
  tx: Executor,
  { settings }: Pick<Runtime, 'settings'>,
  to: string,
  clientIp?: string,
): Promise<void> {
  try {
    await consumeEmailQuota(tx, settings, { kind: 'invitation', to, clientIp });
  } catch (error) {
    if (!(error instanceof EmailLimitReached)) throw error;
    const { limit, quota, resetSeconds } = error;
    const whose = { address: ` to ${to}`, network: ' from your network', total: '' }[limit];
    throw new GatewayError('RATE_LIMIT_EXCEEDED', {
      message: `The limit of ${quota} invitations per hour${whose} is reached.`,
      hint: `Try again in ${Math.ceil(resetSeconds / 60)} min.`,
      details: { limit: 'hour', retry_after: resetSeconds },
    });
  }
}

/** A failed email does not undo the invitation: the link can be shared by hand. */
async function sendEmail(
  { ports, settings, log }: Pick<Runtime, 'log' | 'ports' | 'settings'>,
  message: EmailMessage,
): Promise<SentInvitation['mail']> {
  if (!ports.mail) return 'none';
  try {
    await ports.mail.send(message);
  } catch (error) {
    log.error('invitation.email_failed', { error });
    return 'failed';
  }
  if (settings.smtpUrl) return 'sent';
  return ports.localMail ? 'inbox' : 'none';
}
