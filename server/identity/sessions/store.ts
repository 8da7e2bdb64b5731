import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { accounts } from '@/db/schema/accounts';
import { sessions, users } from '@/db/schema/auth';

/** Finds the person of a session and their personal account; null if the session has expired. */
export async function findSession(db: Executor, tokenHash: string) {
  const [row] = await db
    .select({
      userId: sessions.userId,
      accountId: accounts.id,
      frozenAt: accounts.frozenAt,
      /** The address that the sign-in verified; null if the person's address has changed since. */
      verifiedEmail: sql<
        string | null
      >`case when ${sessions.verifiedEmail} = ${users.email} then ${users.email} end`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(accounts, and(eq(accounts.ownerUserId, sessions.userId), eq(accounts.type, 'personal')))
    .where(
      and(eq(sessions.sessionToken, tokenHash), sql`${sessions.expires} > now()`, isNull(accounts.closedAt)),
    );
  return row ?? null;
}
