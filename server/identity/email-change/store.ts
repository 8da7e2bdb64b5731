import { and, eq, isNull, ne, or, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { emailChanges, identities, secondFactors, sessions, users } from '@/db/schema/auth';
import { CONFIRM_HOURS, UNDO_DAYS } from './limits';

export async function findPersonEmail(db: Executor, userId: string): Promise<string | null> {
  const [row] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  return row?.email ?? null;
}

/** Stores a request, and ends the person's earlier ones that are not confirmed. */
export async function insertChange(
  tx: Executor,
  row: Omit<typeof emailChanges.$inferInsert, 'expiresAt'>,
): Promise<void> {
  await endOpenChanges(tx, row.userId);
  await tx
    .insert(emailChanges)
    .values({ ...row, expiresAt: sql`now() + make_interval(hours => ${CONFIRM_HOURS}::int)` });
}

export async function endOpenChanges(tx: Executor, userId: string): Promise<void> {
  await tx
    .update(emailChanges)
    .set({ endedAt: sql`now()` })
    .where(
      and(eq(emailChanges.userId, userId), isNull(emailChanges.endedAt), isNull(emailChanges.confirmedAt)),
    );
}

/** When a change was requested, compared in the database, which counts microseconds. */
const requestedAt = (confirmHash: Buffer) =>
  sql`(select c.created_at from email_changes c where c.confirm_hash = ${confirmHash})`;

/**
 * Ends a change and all later ones, also confirmed ones. Earlier ones stay: otherwise a thief could
 * take the undo from the owner by undoing a change of their own.
 */
export async function endChangesSince(tx: Executor, userId: string, confirmHash: Buffer): Promise<void> {
  await tx
    .update(emailChanges)
    .set({ endedAt: sql`now()` })
    .where(
      and(
        eq(emailChanges.userId, userId),
        isNull(emailChanges.endedAt),
        sql`${emailChanges.createdAt} >= ${requestedAt(confirmHash)}`,
      ),
    );
}

const columns = {
  confirmHash: emailChanges.confirmHash,
  userId: emailChanges.userId,
  sessionId: emailChanges.sessionId,
  oldEmail: emailChanges.oldEmail,
  newEmail: emailChanges.newEmail,
  confirmedAt: emailChanges.confirmedAt,
  endedAt: emailChanges.endedAt,
  expired: sql<boolean>`${emailChanges.expiresAt} <= now()`,
  undoExpired: sql<boolean>`coalesce(${emailChanges.confirmedAt}, ${emailChanges.createdAt})
    + make_interval(days => ${UNDO_DAYS}::int) <= now()`,
  /** Whether the session that requested it is signed in still. */
  sessionLives: sql<boolean>`exists (select 1 from sessions s
    where s.session_token = email_changes.session_id and s.expires > now())`,
};

/** Finds a change by the hash of either token. */
export async function findChange(db: Executor, hash: Buffer) {
  const [row] = await db
    .select({ ...columns, byUndo: sql<boolean>`${emailChanges.undoHash} = ${hash}` })
    .from(emailChanges)
    .where(or(eq(emailChanges.confirmHash, hash), eq(emailChanges.undoHash, hash)));
  return row ?? null;
}

/** Locks the person, then reads the change again, so that changes of one person are serial. */
export async function lockChange(tx: Executor, hash: Buffer) {
  const found = await findChange(tx, hash);
  if (!found) return null;
  await tx.select({ id: users.id }).from(users).where(eq(users.id, found.userId)).for('update');
  return await findChange(tx, hash);
}

export async function isAddressTaken(tx: Executor, email: string, byOthersThan: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), ne(users.id, byOthersThan)));
  return row !== undefined;
}

export async function markConfirmed(tx: Executor, confirmHash: Buffer): Promise<void> {
  await tx
    .update(emailChanges)
    .set({ confirmedAt: sql`now()` })
    .where(eq(emailChanges.confirmHash, confirmHash));
}

/** Sets the address, and removes every other way to sign in that belonged to the previous one. */
export async function replaceEmail(
  tx: Executor,
  { userId, to, keptSession }: { userId: string; to: string; keptSession: string | null },
): Promise<void> {
  await tx.execute(sql`delete from verification_tokens
    where identifier = (select email from users where id = ${userId})`);
  await tx.update(users).set({ email: to, emailVerified: sql`now()` }).where(eq(users.id, userId));
  await tx.delete(identities).where(eq(identities.userId, userId));
  await tx
    .delete(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        keptSession === null ? undefined : ne(sessions.sessionToken, keptSession),
      ),
    );
}

/** Deletes a second factor that was set up since a change was requested, as a thief would. */
export async function deleteFactorSince(tx: Executor, userId: string, confirmHash: Buffer): Promise<void> {
  await tx
    .delete(secondFactors)
    .where(
      and(eq(secondFactors.userId, userId), sql`${secondFactors.confirmedAt} >= ${requestedAt(confirmHash)}`),
    );
}
