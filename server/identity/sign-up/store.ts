import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { boolean, defineRow } from '@/db/rows';
import { signUpInvitations, signUpPolicy } from '@/db/schema/sign-up';

export type InvitationRow = typeof signUpInvitations.$inferSelect;

export async function findPolicy(db: Executor) {
  const [row] = await db.select().from(signUpPolicy);
  return row ?? null;
}

export async function writePolicy(
  tx: Executor,
  row: Pick<typeof signUpPolicy.$inferInsert, 'domains' | 'policy' | 'updatedBy'>,
): Promise<void> {
  const change = { ...row, updatedAt: sql`now()` };
  await tx.insert(signUpPolicy).values(change).onConflictDoUpdate({ target: signUpPolicy.id, set: change });
}

export async function deletePolicy(tx: Executor): Promise<void> {
  await tx.delete(signUpPolicy);
}

const knownRow = defineRow({ exists: boolean(), invited: boolean() });

/** Whether an address belongs to a person, or is invited: to sign up, or to a team. */
export async function findStanding(
  db: Executor,
  email: string,
): Promise<{ exists: boolean; invited: boolean }> {
  const [row] = await knownRow.read(
    db.execute(sql`
      select exists (select 1 from users where email = ${email}) as exists,
        exists (select 1 from sign_up_invitations where email = ${email} and used_at is null and expires_at > now())
        or exists (
          select 1 from invitations i join accounts t on t.id = i.account_id
          where i.email = ${email} and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
            and t.closed_at is null
        ) as invited`),
  );
  return row ?? { exists: false, invited: false };
}

/** Uses up the open invitation of an address, if there is one. */
export async function consumeInvitation(tx: Executor, email: string): Promise<void> {
  await tx
    .update(signUpInvitations)
    .set({ usedAt: sql`now()` })
    .where(and(eq(signUpInvitations.email, email), isNull(signUpInvitations.usedAt)));
}

/** Inserts an invitation, or renews the open one to the same address. @returns its id */
export async function upsertInvitation(
  tx: Executor,
  row: Pick<InvitationRow, 'createdBy' | 'email' | 'id'>,
  days: number,
): Promise<string> {
  const expiresAt = sql`now() + make_interval(days => ${days}::int)`;
  const [put] = await tx
    .insert(signUpInvitations)
    .values({ ...row, expiresAt })
    .onConflictDoUpdate({
      target: signUpInvitations.email,
      targetWhere: sql`used_at is null`,
      set: { expiresAt, createdBy: row.createdBy },
    })
    .returning({ id: signUpInvitations.id });
  if (!put) throw new Error('An invitation was neither added nor renewed');
  return put.id;
}

export async function countOpenInvitations(db: Executor): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(signUpInvitations)
    .where(and(isNull(signUpInvitations.usedAt), sql`${signUpInvitations.expiresAt} > now()`));
  return row?.count ?? 0;
}

/** Lists invitations, newest first. */
export async function listInvitationRows(
  db: Executor,
  before: string | null,
  limit: number,
): Promise<InvitationRow[]> {
  return await db
    .select()
    .from(signUpInvitations)
    .where(before === null ? undefined : lt(signUpInvitations.id, before))
    .orderBy(desc(signUpInvitations.id))
    .limit(limit);
}

/** Deletes an invitation that is not used. @returns its address */
export async function deleteInvitation(tx: Executor, id: string): Promise<string | null> {
  const [row] = await tx
    .delete(signUpInvitations)
    .where(and(eq(signUpInvitations.id, id), isNull(signUpInvitations.usedAt)))
    .returning({ email: signUpInvitations.email });
  return row?.email ?? null;
}
