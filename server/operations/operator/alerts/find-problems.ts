import { statfs } from 'node:fs/promises';
import type { Runtime } from '../../../core/runtime';
import { type BackgroundJobRow, listBackgroundJobs } from '../../../platform/background/store';
import { getJobLabel, JOB_LABELS, listOffJobs } from '../background/job-labels';
import { listFailing } from '../overview-store';
import { findLastFinishedRun } from '../reconcile-store';
import { usesProvider } from '../status/probe-components';
import { countFailedEvents } from '../status/status-store';
import type { Problem } from './alert-store';

type ProblemRuntime = Pick<Runtime, 'db' | 'settings' | 'tools'>;

const MINUTE_MS = 60_000;
/** A job that failed only once may work a moment later. */
const FAILING_MS = 2 * MINUTE_MS;
/** Processes may be busy or restarting. */
const OVERDUE_MS = 10 * MINUTE_MS;
/** After a stop, jobs are late until their first run, at most ten minutes after the start. */
const START_MS = 15 * MINUTE_MS;
const LEAST_FREE_BYTES = 512 * 1024 * 1024;

/**
 * The problems that operators are alerted to, by cause. Contains no secrets and no account.
 * @param upMs how long this process has run
 */
export async function findProblems(
  runtime: ProblemRuntime,
  upMs = process.uptime() * 1000,
): Promise<Problem[]> {
  const { db, settings } = runtime;
  const [jobs, run, failing, events, disk] = await Promise.all([
    listBackgroundJobs(db),
    findLastFinishedRun(db),
    listFailing(db),
    countFailedEvents(db, null),
    findDiskProblem(settings.dataDir),
  ]);
  const off = listOffJobs(settings);
  const scheduled = jobs.filter(({ name }) => name in JOB_LABELS && !off.has(name));
  const now = Date.now();
  const problems: (Problem | null)[] = [
    ...scheduled.map((job) => findFailingJob(job, now) ?? (upMs < START_MS ? null : findLateJob(job, now))),
    run?.status === 'differences' || run?.status === 'failed'
      ? {
          cause: 'reconcile',
          title:
            run.status === 'failed'
              ? 'The last reconcile failed'
              : `Reconcile found differences: ${run.differenceCount}`,
          path: '/operator/reconcile',
        }
      : null,
    ...failing.map((tool) => findToolProblem(runtime, tool)),
    events > 0
      ? {
          cause: 'payment-events',
          title: 'Webhooks of the payment provider fail',
          path: '/operator/webhooks?state=failed',
        }
      : null,
    disk,
  ];
  return problems.filter((problem) => problem !== null);
}

const JOB_PATH = '/operator/status';

/** Reconcile has its own alert. */
function findFailingJob(
  { name, ok, failingAt, everySeconds }: BackgroundJobRow,
  now: number,
): Problem | null {
  if (ok !== false || !failingAt || name === 'reconcile') return null;
  const lasts = (everySeconds ?? 0) * 1000 >= FAILING_MS || now - failingAt.getTime() >= FAILING_MS;
  return lasts
    ? { cause: `job:${name}`, title: `Background job fails: ${getJobLabel(name)}`, path: JOB_PATH }
    : null;
}

function findLateJob(job: BackgroundJobRow, now: number): Problem | null {
  if (!isOverdue(job, now)) return null;
  const title = `Background job is overdue: ${getJobLabel(job.name)}`;
  return { cause: `job-late:${job.name}`, title, path: JOB_PATH };
}

/** Whether no process runs the job any more. Pure. */
export function isOverdue(
  { nextAt, everySeconds }: Pick<BackgroundJobRow, 'everySeconds' | 'nextAt'>,
  now: number,
): boolean {
  return nextAt !== null && now - nextAt.getTime() > Math.max(OVERDUE_MS, (everySeconds ?? 0) * 1000);
}

function findToolProblem({ tools }: Pick<Runtime, 'tools'>, name: string): Problem {
  const tool = tools.findTool(name);
  const what = tool && usesProvider(tool) ? 'Calls through a provider fail' : 'High failure rate';
  return {
    cause: `tool:${name}`,
    title: `${what}: ${tool?.displayName ?? name}`,
    path: `/operator/tools/${encodeURIComponent(name)}?period=1h`,
  };
}

async function findDiskProblem(folder: string): Promise<Problem | null> {
  const disk = await statfs(folder).catch(() => null);
  if (disk === null || disk.bavail * disk.bsize > LEAST_FREE_BYTES) return null;
  return { cause: 'disk', title: 'The disk of the data folder is almost full', path: '/operator' };
}
