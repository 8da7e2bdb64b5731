import { and, desc, eq, isNotNull, lt, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { reconcileRuns } from '@/db/schema/operator';

export type RunRow = typeof reconcileRuns.$inferSelect;

export async function insertRun(
  tx: Executor,
  row: Pick<RunRow, 'id' | 'createdBy' | 'askedProvider'>,
): Promise<void> {
  await tx.insert(reconcileRuns).values(row);
}

/** Records the progress of a run, and that it is alive. */
export async function saveProgress(
  db: Executor,
  id: string,
  progress: Pick<RunRow, 'checksDone' | 'checks'>,
): Promise<void> {
  await db
    .update(reconcileRuns)
    .set({ ...progress, aliveAt: sql`now()` })
    .where(and(eq(reconcileRuns.id, id), eq(reconcileRuns.status, 'running')));
}

export async function finishRun(
  db: Executor,
  id: string,
  end: Partial<RunRow> & Pick<RunRow, 'status'>,
): Promise<void> {
  await db
    .update(reconcileRuns)
    .set({ ...end, finishedAt: sql`now()` })
    .where(and(eq(reconcileRuns.id, id), eq(reconcileRuns.status, 'running')));
}

/** The run in progress; only one runs at a time. */
export async function findRunInProgress(tx: Executor, aliveSeconds: number): Promise<RunRow | null> {
  // Serializes runs that start at the same time.
  await tx.execute(sql`select pg_advisory_xact_lock(7305112045)`);
  const [row] = await tx
    .select()
    .from(reconcileRuns)
    .where(
      and(
        eq(reconcileRuns.status, 'running'),
        sql`${reconcileRuns.aliveAt} > now() - make_interval(secs => ${aliveSeconds}::int)`,
      ),
    )
    .limit(1);
  return row ?? null;
}

export async function listRuns(db: Executor, before: string | undefined, limit: number): Promise<RunRow[]> {
  return await db
    .select()
    .from(reconcileRuns)
    .where(before === undefined ? undefined : lt(reconcileRuns.id, before))
    .orderBy(desc(reconcileRuns.id))
    .limit(limit);
}

export async function findLastRun(db: Executor): Promise<RunRow | null> {
  return (await listRuns(db, undefined, 1))[0] ?? null;
}

/** The last run with a result: one that still runs says nothing about the books. */
export async function findLastFinishedRun(db: Executor): Promise<RunRow | null> {
  const [row] = await db
    .select()
    .from(reconcileRuns)
    .where(isNotNull(reconcileRuns.finishedAt))
    .orderBy(desc(reconcileRuns.id))
    .limit(1);
  return row ?? null;
}
