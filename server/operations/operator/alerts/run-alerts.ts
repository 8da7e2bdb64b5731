import type { Runtime } from '../../../core/runtime';
import { recordRun } from '../../../platform/background/record-run';
import { claimRun } from '../../../platform/background/store';
import {
  insertAlert,
  insertMessages,
  listOpenAlerts,
  lockAlerts,
  markEndsReported,
  type NewMessage,
  type Problem,
  remindOfAlert,
  reopenAlert,
  resolveAlert,
} from './alert-store';
import { deliverMessages, sendNotice } from './deliver-messages';
import { findProblems } from './find-problems';

type AlertRuntime = Pick<Runtime, 'db' | 'log' | 'ports' | 'settings' | 'tools'>;

const EVERY_SECONDS = 60;
const REMINDER_HOURS = 24;
/** A problem that returns within this time has not ended: nothing is sent. */
const QUIET_MINUTES = 10;
/** More problems of a round than this are one notice. */
const MAX_SEPARATE = 3;
/** Ticks without a database after which this process reports it: about a minute. */
const LOST_TICKS = 3;

/** Looks for problems once a minute in one process, and sends the notices that are due. */
export async function runAlerts(runtime: AlertRuntime, signal: AbortSignal): Promise<void> {
  const job = { name: 'alerts', everySeconds: EVERY_SECONDS };
  try {
    if (await claimRun(runtime.db, { ...job, first: 'now' }))
      await recordRun(runtime, { ...job, schedules: false }, async () => {
        await updateAlerts(runtime, await findProblems(runtime));
      });
    await deliverMessages(runtime, signal);
  } catch (error) {
    await noteDatabase(runtime, 'lost');
    throw error;
  }
  await noteDatabase(runtime, 'works');
}

type Subject = Pick<Problem, 'title' | 'path'>;

/**
 * Opens an alert for each new problem, reminds of those that last, and resolves the others. Each
 * change queues its notices in the same transaction, so a problem is reported once; its end is
 * reported when it has stayed away for a while.
 */
export async function updateAlerts(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  problems: readonly Problem[],
): Promise<void> {
  const recipients = listRecipients(runtime);
  await runtime.db.transaction(async (tx) => {
    await lockAlerts(tx);
    const open = await listOpenAlerts(tx);
    const due: Record<'opened' | 'reminder', Subject[]> = { opened: [], reminder: [] };
    for (const problem of problems) {
      const known = open.find(({ cause }) => cause === problem.cause);
      if (known) {
        if (await remindOfAlert(tx, known.id, problem.title, REMINDER_HOURS)) due.reminder.push(problem);
      } else if (!(await reopenAlert(tx, problem.cause))) {
        await insertAlert(tx, problem);
        due.opened.push(problem);
      }
    }
    for (const { id, cause } of open)
      if (!problems.some((problem) => problem.cause === cause)) await resolveAlert(tx, id);
    const resolved = await markEndsReported(tx, QUIET_MINUTES);
    for (const message of [
      ...toMessages('opened', due.opened),
      ...toMessages('reminder', due.reminder),
      ...toMessages('resolved', resolved),
    ])
      await insertMessages(tx, recipients, message);
  });
}

/** A message for each, or one for all if they are many: an outage has many causes at once. */
function toMessages(kind: NewMessage['kind'], subjects: readonly Subject[]): NewMessage[] {
  if (subjects.length <= MAX_SEPARATE) return subjects.map(({ title, path }) => ({ kind, title, path }));
  const titles = subjects.slice(0, MAX_SEPARATE).map(({ title }) => title);
  const title = `${subjects.length} problems: ${titles.join('; ')} and ${subjects.length - MAX_SEPARATE} more`;
  return [{ kind, title, path: '/operator/status' }];
}

/** Everyone who is alerted. */
export function listRecipients({ settings }: Pick<Runtime, 'settings'>) {
  const { emails, webhookUrl } = settings.operation.alerts;
  return [
    ...emails.map((recipient) => ({ channel: 'email' as const, recipient })),
    ...(webhookUrl === null ? [] : [{ channel: 'webhook' as const, recipient: null }]),
  ];
}

/** Ticks since the database last worked, and whether that was reported, by database. */
const lost = new WeakMap<object, { ticks: number; reported: boolean }>();

/** Without the database nothing can be queued: each process reports its loss and return itself. */
async function noteDatabase(runtime: AlertRuntime, state: 'works' | 'lost'): Promise<void> {
  const { db, log } = runtime;
  const known = lost.get(db) ?? { ticks: 0, reported: false };
  const next = state === 'works' ? { ticks: 0, reported: false } : { ...known, ticks: known.ticks + 1 };
  const kind = state === 'works' ? 'resolved' : 'opened';
  const reports = state === 'works' ? known.reported : next.ticks >= LOST_TICKS && !known.reported;
  lost.set(db, reports && state === 'lost' ? { ...next, reported: true } : next);
  if (!reports) return;
  const notice = { kind, title: 'The gateway cannot use its database', path: '/status' } as const;
  for (const to of listRecipients(runtime))
    await sendNotice(runtime, { ...to, ...notice }).catch((error) =>
      log.warn('alert.send_failed', { error }),
    );
}
