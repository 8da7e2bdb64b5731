import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { invalidFields } from '../../core/errors/field-errors';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { normalizeEmail } from '../../kit/email-address';
import { newId } from '../../kit/ids';
import { DOMAIN_MESSAGE, domains as domainsSchema } from '../../platform/settings/access-settings';
import { getSignUpPolicy } from './check-sign-up';
import { MAX_OPEN_SIGN_UP_INVITATIONS } from './limits';
import { renderSignUpInvitation, SIGN_UP_INVITATION_DAYS } from './render-emails';
import type { InvitedToSignUp, SetSignUp, SignUpInvitation, SignUpInvitations, SignUpState } from './schema';
import {
  countOpenInvitations,
  deleteInvitation,
  deletePolicy,
  findStanding,
  type InvitationRow,
  listInvitationRows,
  upsertInvitation,
  writePolicy,
} from './store';

const PAGE = 30;

/** Who may sign up now, and what the settings say. */
export async function getSignUpState(runtime: Pick<Runtime, 'db' | 'settings'>): Promise<SignUpState> {
  const { policy, domains, overridden } = await getSignUpPolicy(runtime);
  const { signUpPolicy, signUpDomains, provisioning } = runtime.settings.access;
  return {
    current: { policy, domains: [...domains] },
    settings: { policy: signUpPolicy, domains: [...signUpDomains] },
    overridden,
    provisioning,
  };
}

/**
 * Chooses who may sign up, from the next sign-in on in all processes, or returns to the settings.
 * @throws GatewayError INVALID_INPUT without valid domains where the policy needs them
 */
export async function setSignUp(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  by: AuditActor,
  { choice }: SetSignUp,
): Promise<void> {
  const named = choice?.policy === 'domains' ? readDomains(choice.domains) : [];
  await runtime.db.transaction(async (tx) => {
    if (choice) await writePolicy(tx, { policy: choice.policy, domains: named, updatedBy: by.name });
    else await deletePolicy(tx);
    const details = choice ? { policy: choice.policy, domains: named.join(',') } : { policy: 'settings' };
    await writeAudit(tx, { actor: by, action: 'sign_up.policy', details });
  });
}

function readDomains(given: string[]): string[] {
  const parsed = domainsSchema.safeParse(given.join(','));
  if (!parsed.success) throw invalidFields([{ path: 'domains', message: `Domains ${DOMAIN_MESSAGE}.` }]);
  return [...new Set(parsed.data)];
}

/**
 * Invites an address to sign up, or renews its open invitation, and emails it.
 * @throws GatewayError INVALID_INPUT for an invalid address, or one that has an account; FORBIDDEN
 *   at MAX_OPEN_SIGN_UP_INVITATIONS
 */
export async function inviteToSignUp(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  by: AuditActor,
  given: string,
): Promise<InvitedToSignUp> {
  const email = readEmail(given);
  await runtime.db.transaction(async (tx) => {
    if ((await findStanding(tx, email)).exists)
      throw invalidFields([{ path: 'email', message: `${email} has an account already.` }]);
    if ((await countOpenInvitations(tx)) >= MAX_OPEN_SIGN_UP_INVITATIONS)
      throw new GatewayError('FORBIDDEN', {
        message: `At most ${MAX_OPEN_SIGN_UP_INVITATIONS} invitations can be open.`,
        hint: 'Delete those that are no longer needed.',
      });
    const row = { id: newId('signUpInvitation'), email, createdBy: by.name };
    const target = await upsertInvitation(tx, row, SIGN_UP_INVITATION_DAYS);
    await writeAudit(tx, { actor: by, action: 'sign_up.invite', target, details: { email } });
  });
  return { mail: await sendInvitation(runtime, email) };
}

async function sendInvitation(
  { ports, log, settings }: Pick<Runtime, 'log' | 'ports' | 'settings'>,
  email: string,
): Promise<InvitedToSignUp['mail']> {
  if (!ports.mail) return 'not_configured';
  try {
    await ports.mail.send(renderSignUpInvitation(email, settings.baseUrl, settings.brand));
    return 'sent';
  } catch (error) {
    log.error('sign_up.invitation_email_failed', { error });
    return 'failed';
  }
}

function readEmail(given: string): string {
  try {
    return normalizeEmail(given);
  } catch {
    throw invalidFields([{ path: 'email', message: 'Must be one email address, such as ada@example.com.' }]);
  }
}

/** Lists invitations to sign up, newest first. */
export async function listSignUpInvitations(
  runtime: Pick<Runtime, 'db'>,
  cursor: string | undefined,
): Promise<SignUpInvitations> {
  const rows = await listInvitationRows(runtime.db, cursor ?? null, PAGE + 1);
  const shown = rows.slice(0, PAGE);
  return {
    invitations: shown.map(describeInvitation),
    next_cursor: rows.length > PAGE ? (shown.at(-1)?.id ?? null) : null,
  };
}

function describeInvitation({ id, email, createdAt, expiresAt, usedAt }: InvitationRow): SignUpInvitation {
  return {
    id,
    email,
    state: usedAt ? 'used' : expiresAt <= new Date() ? 'expired' : 'open',
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}

/** Deletes an invitation that is not used. @returns false if there is none */
export async function removeSignUpInvitation(
  runtime: Pick<Runtime, 'db'>,
  by: AuditActor,
  id: string,
): Promise<boolean> {
  return await runtime.db.transaction(async (tx) => {
    const email = await deleteInvitation(tx, id);
    if (email === null) return false;
    await writeAudit(tx, { actor: by, action: 'sign_up.uninvite', target: id, details: { email } });
    return true;
  });
}
