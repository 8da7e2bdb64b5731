import { and } from 'drizzle-orm';
import { eq } from 'drizzle-orm';
import { isNull } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { type Executor } from '@/db/client';
import { accounts } from '@/db/schema/accounts';
import { sessions } from '@/db/schema/auth';
import { users } from '@/db/schema/auth';

/**
 * The person behind a session cookie, with their personal account; null where the session has
 * ended.
 */
export async function findSession(db: Executor, tokenHash: string) {
  const [row] = await db
    .select({
      userId: sessions.userId,
      accountId: accounts.id,
      frozenAt: accounts.frozenAt,
      /** Which address this sign-in has proved, where that is still the person's. */
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
