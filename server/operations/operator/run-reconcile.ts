import { connect, type Executor } from '@/db/client';
import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { failureText } from '../../kit/failure-text';
import { newId } from '../../kit/ids';
import { type Reconciliation, reconcile } from '../../money/reconcile/reconcile';
import { type By, pageOf, readCursor } from './operator';
import { ALIVE_SECONDS, describeRun, MAX_KEPT } from './reconcile-run';
import { findWorkingRun, finishRun, insertRun, listRuns, noteProgress } from './reconcile-store';
import type { ReconcileList } from './schema';

const PAGE = 15;
/** It reads all books: its statements may take as long as they need, and are none of the pool, which bounds them. */
const CONNECTIONS = 2;
/** So often at most it is written how far it is. */
const PROGRESS_MS = 250;

/**
 * Begins to prove that the books agree; how it goes on is in its row. One at a time.
 * @returns its id, and its end for those who wait for it
 * @throws GatewayError INVALID_INPUT while another one works
 */
export async function startReconcile(
  runtime: Runtime,
  by: By,
  askProvider: boolean,
): Promise<{ id: string; ended: Promise<void> }> {
  const id = await runtime.db.transaction(async (tx) => {
    if (await findWorkingRun(tx, ALIVE_SECONDS))
      throw new GatewayError('INVALID_INPUT', {
        message: 'Another run is at work.',
        hint: 'Wait until it has ended.',
      });
    return await openRun(tx, by, askProvider);
  });
  const ended = work(runtime, id, askProvider).then(
    () => undefined,
    (error) => runtime.log.error('reconcile failed', { error }),
  );
  return { id, ended };
}

/**
 * Proves it for whoever waits, which is the command. Its run is kept beside those of the page; it changes nothing else, so it
 * waits for none of them.
 */
export async function reconcileNow(
  runtime: Runtime,
  by: AuditActor,
  askProvider: boolean,
): Promise<Reconciliation> {
  const id = await runtime.db.transaction((tx) => openRun(tx, by, askProvider));
  return await work(runtime, id, askProvider);
}

async function openRun(tx: Executor, by: AuditActor, askProvider: boolean): Promise<string> {
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

/** What it finds, or why it could not, is in the row before this is told. */
async function work(runtime: Runtime, id: string, askProvider: boolean): Promise<Reconciliation> {
  const { db, log } = runtime;
  let notedAt = 0;
  let noting: Promise<void> = Promise.resolve();
  const onCheck = (checksDone: number, checks: number) => {
    if (checksDone < checks && performance.now() - notedAt < PROGRESS_MS) return;
    notedAt = performance.now();
    noting = noting
      .then(() => noteProgress(db, id, { checksDone, checks }))
      .catch((error) => log.warn('the progress of reconcile was not noted', { error }));
  };
  const patient = connect(runtime.settings.databaseUrl, CONNECTIONS, { patient: true });
  const reading = { ...runtime, sql: patient.sql, db: patient.db };
  try {
    const found = await reconcile(reading, askProvider, onCheck);
    await noting;
    await finishRun(db, id, endOf(found, askProvider && runtime.ports.payments !== null));
    return found;
  } catch (error) {
    await noting;
    await finishRun(db, id, { status: 'failed', problem: failureText(error) }).catch((failure) =>
      log.error('the end of reconcile was not noted', { error: failure }),
    );
    throw error;
  } finally {
    await patient.close();
  }
}

/** What is kept of it. Pure. */
function endOf({ checks, counted, differences, provider }: Reconciliation, asked: boolean) {
  const unanswered = asked && provider === null;
  return {
    status: differences.length > 0 ? 'differences' : unanswered ? 'failed' : 'ok',
    checks,
    checksDone: checks,
    counted: { ...counted },
    providerPayments: provider,
    differenceCount: differences.length,
    differences: differences
      .slice(0, MAX_KEPT)
      .map(({ check, subject, expected, actual }) => ({ check, subject, expected, actual })),
    problem: unanswered ? 'The payment provider did not answer: its payments were not compared.' : null,
  } as const;
}

/**
 * Runs that were made, newest first, a page at a time.
 * @throws GatewayError INVALID_INPUT for a cursor that is none of ours
 */
export async function listReconcileRuns({ db }: Runtime, cursor: string | undefined): Promise<ReconcileList> {
  const { shown, next } = pageOf(await listRuns(db, readCursor(cursor), PAGE + 1), PAGE, ({ id }) => id);
  return { runs: shown.map((row) => describeRun(row)), next_cursor: next };
}
