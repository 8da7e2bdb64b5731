import { and, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { secondFactors, users } from '@/db/schema/auth';

export async function findFactor(db: Executor, userId: string) {
  const [row] = await db.select().from(secondFactors).where(eq(secondFactors.userId, userId));
  return row ?? null;
}

/** Locks the person, so that two changes of their factor happen one after the other. */
export async function lockPerson(tx: Executor, userId: string): Promise<{ email: string } | null> {
  const [row] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId)).for('update');
  return row ?? null;
}

/** Stores a secret that is not confirmed yet, instead of an earlier one like it. */
export async function putUnconfirmed(tx: Executor, userId: string, sealedSecret: string): Promise<void> {
  await tx
    .insert(secondFactors)
    .values({ userId, sealedSecret, recoveryHashes: [] })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: { sealedSecret, createdAt: sql`now()`, lastStep: null },
      setWhere: isNull(secondFactors.confirmedAt),
    });
}

export async function confirmFactor(tx: Executor, userId: string, recoveryHashes: string[]): Promise<void> {
  await tx
    .update(secondFactors)
    .set({ confirmedAt: sql`now()`, recoveryHashes })
    .where(eq(secondFactors.userId, userId));
}

export async function replaceRecoveryHashes(tx: Executor, userId: string, hashes: string[]): Promise<void> {
  await tx.update(secondFactors).set({ recoveryHashes: hashes }).where(eq(secondFactors.userId, userId));
}

/** @returns false if this step, or a later one, was used already */
export async function takeStep(db: Executor, userId: string, step: number): Promise<boolean> {
  const taken = await db
    .update(secondFactors)
    .set({ lastStep: step })
    .where(
      and(
        eq(secondFactors.userId, userId),
        or(isNull(secondFactors.lastStep), lt(secondFactors.lastStep, step)),
      ),
    )
    .returning({ userId: secondFactors.userId });
  return taken.length > 0;
}

/** @returns how many codes are left; null if it is none of them, or was used already */
export async function takeRecoveryCode(db: Executor, userId: string, hash: string): Promise<number | null> {
  const [row] = await db
    .update(secondFactors)
    .set({ recoveryHashes: sql`array_remove(${secondFactors.recoveryHashes}, ${hash})` })
    .where(
      and(
        eq(secondFactors.userId, userId),
        isNotNull(secondFactors.confirmedAt),
        sql`${hash} = any(${secondFactors.recoveryHashes})`,
      ),
    )
    .returning({ left: secondFactors.recoveryHashes });
  return row ? row.left.length : null;
}

/** @returns whether there was a confirmed one */
export async function deleteFactor(tx: Executor, userId: string): Promise<boolean> {
  const gone = await tx
    .delete(secondFactors)
    .where(eq(secondFactors.userId, userId))
    .returning({ confirmedAt: secondFactors.confirmedAt });
  return gone.some(({ confirmedAt }) => confirmedAt !== null);
}

/** Lists secrets sealed under another vault key. */
export async function listFactorsBefore(db: Executor, keyId: string) {
  return await db
    .select({ userId: secondFactors.userId, sealed: secondFactors.sealedSecret })
    .from(secondFactors)
    .where(sql`split_part(${secondFactors.sealedSecret}, '.', 2) <> ${keyId}`)
    .orderBy(secondFactors.userId);
}

/** @returns false if the secret was replaced meanwhile */
export async function replaceSealedSecret(
  db: Executor,
  { userId, sealed }: { userId: string; sealed: string },
  next: string,
): Promise<boolean> {
  const done = await db
    .update(secondFactors)
    .set({ sealedSecret: next })
    .where(and(eq(secondFactors.userId, userId), eq(secondFactors.sealedSecret, sealed)))
    .returning({ userId: secondFactors.userId });
  return done.length > 0;
}

/** Counts the sealed secrets by the id of their vault key. */
export async function countFactorSecrets(db: Executor): Promise<Map<string, number>> {
  const keyId = sql<string>`split_part(${secondFactors.sealedSecret}, '.', 2)`;
  const rows = await db
    .select({ keyId, count: sql<number>`count(*)::int` })
    .from(secondFactors)
    .groupBy(keyId);
  return new Map(rows.map((row) => [row.keyId, row.count]));
}
