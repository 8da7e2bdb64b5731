import { and, eq, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { boolean, defineRow, float, type RowOf, text } from '@/db/rows';
import { invitations } from '@/db/schema/teams';
import type { GivenRole } from './schema';

/** Above the limit on open invitations: the list also has expired ones, which the sweep deletes. */
const MAX_LISTED_INVITATIONS = 100;

const isUnanswered = and(isNull(invitations.acceptedAt), isNull(invitations.revokedAt));
const isUnexpired = sql`${invitations.expiresAt} > now()`;

/** An invitation with its sender and team. Times are from the database's clock. */
const invitationRow = defineRow({
  id: text(),
  account_id: text(),
  email: text(),
  role: text<GivenRole>(),
  sent_ms: float(),
  expires_ms: float(),
  expired: boolean(),
  accepted: boolean(),
  revoked: boolean(),
  inviter_name: text().nullable(),
  inviter_email: text().nullable(),
  team_name: text(),
  team_slug: text(),
  team_closed: boolean(),
});
export type InvitationRow = RowOf<typeof invitationRow>;

function selectInvitations(where: SQL): SQL {
  return sql`
    select i.id, i.account_id, i.email, i.role, (extract(epoch from i.created_at) * 1000)::float8 as sent_ms,
      (extract(epoch from i.expires_at) * 1000)::float8 as expires_ms, i.expires_at <= now() as expired,
      i.accepted_at is not null as accepted, i.revoked_at is not null as revoked, u.name as inviter_name,
      u.email as inviter_email, t.name as team_name, t.slug as team_slug, t.closed_at is not null as team_closed
    from invitations i join accounts t on t.id = i.account_id join users u on u.id = i.invited_by where ${where}`;
}

export async function findInvitationByHash(db: Executor, hash: Buffer): Promise<InvitationRow | null> {
  const [row] = await invitationRow.read(db.execute(selectInvitations(sql`i.token_hash = ${hash}`)));
  return row ?? null;
}

export async function findInvitation(
  db: Executor,
  teamId: string,
  id: string,
): Promise<InvitationRow | null> {
  const [row] = await invitationRow.read(
    db.execute(selectInvitations(sql`i.account_id = ${teamId} and i.id = ${id}`)),
  );
  return row ?? null;
}

/** Lists a team's unanswered invitations, newest first. */
export async function listUnanswered(db: Executor, teamId: string): Promise<InvitationRow[]> {
  return await invitationRow.read(
    db.execute(sql`
      ${selectInvitations(sql`i.account_id = ${teamId} and i.accepted_at is null and i.revoked_at is null`)}
      order by i.created_at desc, i.id limit ${MAX_LISTED_INVITATIONS}`),
  );
}

/** Counts a team's open invitations, except the one to this address. */
export async function countOtherOpen(db: Executor, teamId: string, email: string): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(invitations)
    .where(and(eq(invitations.accountId, teamId), ne(invitations.email, email), isUnanswered, isUnexpired));
  return row?.count ?? 0;
}

interface NewInvitation {
  /** The id to use if the address has no unanswered invitation yet. */
  id: string;
  accountId: string;
  email: string;
  role: GivenRole;
  tokenHash: Buffer;
  invitedBy: string;
}

/**
 * Inserts an invitation, or renews the unanswered one to the same address with a new token, role
 * and expiry. Returns its id.
 */
export async function upsertInvitation(tx: Executor, row: NewInvitation, days: number): Promise<string> {
  const { role, tokenHash, invitedBy } = row;
  const times = { createdAt: sql`now()`, expiresAt: sql`now() + make_interval(days => ${days}::int)` };
  const [put] = await tx
    .insert(invitations)
    .values({ ...row, ...times })
    .onConflictDoUpdate({
      target: [invitations.accountId, invitations.email],
      targetWhere: sql`accepted_at is null and revoked_at is null`,
      set: { role, tokenHash, invitedBy, ...times },
    })
    .returning({ id: invitations.id });
  if (!put) throw new Error('An invitation was neither added nor renewed');
  return put.id;
}

export async function markAccepted(tx: Executor, id: string): Promise<void> {
  await tx.update(invitations).set({ acceptedAt: sql`now()` }).where(eq(invitations.id, id));
}

export async function markRevoked(tx: Executor, id: string): Promise<void> {
  await tx.update(invitations).set({ revokedAt: sql`now()` }).where(eq(invitations.id, id));
}

/**
 * Revokes the unanswered invitations that a person sent for a team, once they may no longer invite.
 */
export async function revokeInvitationsFrom(tx: Executor, teamId: string, userId: string): Promise<void> {
  await tx
    .update(invitations)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(invitations.accountId, teamId), eq(invitations.invitedBy, userId), isUnanswered));
}

/** Revokes all unanswered invitations of a team. */
export async function revokeTeamInvitations(tx: Executor, teamId: string): Promise<void> {
  await tx
    .update(invitations)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(invitations.accountId, teamId), isUnanswered));
}

/**
 * Deletes invitations to an address and from a person. Locks rows in id order: two people who
 * invited each other may be deleted at once.
 */
export async function deletePersonInvitations(
  tx: Executor,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  await tx.execute(sql`delete from invitations where id in (
    select id from invitations where email = ${email} or invited_by = ${userId} order by id for update)`);
}
