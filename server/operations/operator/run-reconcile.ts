import { connect, type Executor } from '@/db/client';
import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { decodeCursor, toPage } from '../../core/trpc/cursor';
import { failureText } from '../../kit/failure-text';
import { newId } from '../../kit/ids';
import { type Reconciliation, reconcile } from '../../money/reconcile/reconcile';
import { recordRun } from '../../platform/background/record-run';
import type { OperatorAuditActor } from './operator';
import { ALIVE_SECONDS, describeRun, MAX_STORED_DIFFERENCES } from './reconcile-run';
import { findRunInProgress, finishRun, insertRun, listRuns, saveProgress } from './reconcile-store';
import type { ReconcileList } from './schema';

type ReconcileRuntime = Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>;

const PAGE = 15;
/**
 * Connections of its own without time limits, because it reads all records; the pool's have limits.
 */
const CONNECTIONS = 2;
/** The minimum interval between two progress updates. */
const PROGRESS_MS = 250;
const HOUR_SECONDS = 3_600;

/**
 * Starts a reconcile run, one at a time; its row shows the progress.
 * @returns its id, and a promise of its end
 * @throws GatewayError INVALID_INPUT while another run is in progress
 */
export async function startReconcile(
  runtime: ReconcileRuntime,
  by: OperatorAuditActor,
  askProvider: boolean,
): Promise<{ id: string; ended: Promise<void> }> {
  const id = await runtime.db.transaction(async (tx) => {
    if (await findRunInProgress(tx, ALIVE_SECONDS))
      throw new GatewayError('INVALID_INPUT', {
        message: 'Another run is in progress.',
        hint: 'Wait until it has finished.',
      });
    return await createRun(tx, by, askProvider);
  });
  const ended = recordReconcile(runtime, id, askProvider).then(
    () => undefined,
    (error) => runtime.log.error('reconcile.failed', { error }),
  );
  return { id, ended };
}

/**
 * Reconciles for the admin CLI, which waits for the result. It only reads, so other runs do not
 * block it; its run is listed with theirs.
 */
export async function reconcileNow(
  runtime: ReconcileRuntime,
  by: AuditActor,
  askProvider: boolean,
): Promise<Reconciliation> {
  const id = await runtime.db.transaction((tx) => createRun(tx, by, askProvider));
  return await recordReconcile(runtime, id, askProvider);
}

async function createRun(tx: Executor, by: AuditActor, askProvider: boolean): Promise<string> {
  const id = newId('reconcile');
  await insertRun(tx, { id, createdBy: by.name, askedProvider: askProvider });
  await writeAudit(tx, {
    actor: by,
    action: 'reconcile.run',
    target: id,
    details: { provider: askProvider },
  });
  return id;
}

/** Reconciles, and records the run among the background jobs. */
async function recordReconcile(
  runtime: ReconcileRuntime,
  id: string,
  askProvider: boolean,
): Promise<Reconciliation> {
  const { reconcileHours } = runtime.settings.operation;
  const everySeconds = reconcileHours === 0 ? null : reconcileHours * HOUR_SECONDS;
  const run = async () => {
    const found = await executeRun(runtime, id, askProvider);
    const { length } = found.differences;
    return { found, ...(length > 0 && { problem: `Differences: ${length}` }) };
  };
  return (await recordRun(runtime, { name: 'reconcile', everySeconds, schedules: false }, run)).found;
}

/** Reconciles; the run's row has the result or the failure before this settles. */
async function executeRun(
  runtime: ReconcileRuntime,
  id: string,
  askProvider: boolean,
): Promise<Reconciliation> {
  const { db, log } = runtime;
  let notedAt = 0;
  let noting: Promise<void> = Promise.resolve();
  const onCheck = (checksDone: number, checks: number) => {
    if (checksDone < checks && performance.now() - notedAt < PROGRESS_MS) return;
    notedAt = performance.now();
    noting = noting
      .then(() => saveProgress(db, id, { checksDone, checks }))
      .catch((error) => log.warn('reconcile.progress_failed', { error }));
  };
  const patient = connect(runtime.settings.databaseUrl, CONNECTIONS, { patient: true });
  const reading = { ...runtime, sql: patient.sql, db: patient.db };
  try {
    const found = await reconcile(reading, askProvider, onCheck);
    await noting;
    await finishRun(db, id, toFinishedRun(found, askProvider && runtime.ports.payments !== null));
    return found;
  } catch (error) {
    await noting;
    await finishRun(db, id, { status: 'failed', problem: failureText(error) }).catch((failure) =>
      log.error('reconcile.finish_failed', { error: failure }),
    );
    throw error;
  } finally {
    await patient.close();
  }
}

/** The row of a finished run. Pure. */
function toFinishedRun({ checks, counted, differences, provider }: Reconciliation, asked: boolean) {
  const unanswered = asked && provider === null;
  return {
    status: differences.length > 0 ? 'differences' : unanswered ? 'failed' : 'ok',
    checks,
    checksDone: checks,
    counted: { ...counted },
    providerPayments: provider,
    differenceCount: differences.length,
    differences: differences
      .slice(0, MAX_STORED_DIFFERENCES)
      .map(({ check, subject, expected, actual }) => ({ check, subject, expected, actual })),
    problem: unanswered ? 'The payment provider did not respond: its payments were not compared.' : null,
  } as const;
}

/**
 * Lists reconcile runs in pages, newest first.
 * @throws GatewayError INVALID_INPUT for an invalid cursor
 */
export async function listReconcileRuns(
  { db }: Pick<Runtime, 'db'>,
  cursor: string | undefined,
): Promise<ReconcileList> {
  const rows = await listRuns(db, decodeCursor(cursor, 'reconcile'), PAGE + 1);
  const { page, next_cursor } = toPage(rows, PAGE);
  return { runs: page.map((row) => describeRun(row)), next_cursor };
}
