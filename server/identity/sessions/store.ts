import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { boolean, defineRow } from '@/db/rows';
import { accounts } from '@/db/schema/accounts';
import { sessions, users } from '@/db/schema/auth';

/** How precise the time of the last use is. */
const USE_INTERVAL = sql`interval '5 minutes'`;

/**
 * Finds the person of a session and their personal account; null if the session has expired. A
 * session with `factorDue` is not signed in yet.
 */
export async function findSession(db: Executor, tokenHash: string) {
  const [row] = await db
    .select({
      userId: sessions.userId,
      accountId: accounts.id,
      frozenAt: accounts.frozenAt,
      factorDue: sessions.factorDue,
      isIdle: sql<boolean>`coalesce(${sessions.lastUsedAt} < now() - ${USE_INTERVAL}, true)`,
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

const openRow = defineRow({ may: boolean() });

/**
 * Whether an identity with this verified address may sign in as the person who has the address:
 * there is none, it is theirs already, or they have proved the address themselves. Otherwise
 * another person could have reserved the account with an address that is not theirs.
 */
export async function mayOpenAccount(
  db: Executor,
  email: string,
  { provider, providerAccountId }: { provider: string; providerAccountId: string },
): Promise<boolean> {
  const [row] = await openRow.read(
    db.execute(sql`
      select not exists (select 1 from users where email = ${email})
        or exists (select 1 from identities where provider = ${provider} and provider_account_id = ${providerAccountId})
        or exists (select 1 from users where email = ${email} and email_verified is not null)
        or exists (select 1 from users u join sessions s on s.user_id = u.id
          where u.email = ${email} and s.verified_email = u.email) as may`),
  );
  return row?.may ?? false;
}

/** Records that a session is used, unless another request just did. */
export async function touchSession(db: Executor, tokenHash: string): Promise<void> {
  await db
    .update(sessions)
    .set({ lastUsedAt: sql`now()` })
    .where(
      and(
        eq(sessions.sessionToken, tokenHash),
        sql`coalesce(${sessions.lastUsedAt} < now() - ${USE_INTERVAL}, true)`,
      ),
    );
}

/** Finds the person of a session that still needs the second factor. */
export async function findHalfSession(db: Executor, tokenHash: string) {
  const [row] = await db
    .select({ userId: users.id, email: users.email })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.sessionToken, tokenHash), sessions.factorDue, sql`${sessions.expires} > now()`));
  return row ?? null;
}

/** Makes a session that needed the second factor a signed-in one. */
export async function completeHalfSession(
  db: Executor,
  tokenHash: string,
  lifetimeSeconds: number,
): Promise<boolean> {
  const done = await db
    .update(sessions)
    .set({ factorDue: false, expires: sql`now() + make_interval(secs => ${lifetimeSeconds}::int)` })
    .where(and(eq(sessions.sessionToken, tokenHash), sessions.factorDue, sql`${sessions.expires} > now()`))
    .returning({ id: sessions.sessionToken });
  return done.length > 0;
}
