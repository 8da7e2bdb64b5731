import { GatewayError } from '../../../core/errors/gateway-error';
import type { Runtime } from '../../../core/runtime';
import { newId } from '../../../kit/ids';
import type { RepeatingJob } from '../../../platform/background/job-timer';
import { recordRun } from '../../../platform/background/record-run';
import { claimRun, listBackgroundJobs } from '../../../platform/background/store';
import { runAlerts } from '../alerts/run-alerts';
import { startReconcile } from '../run-reconcile';
import { probeComponents } from '../status/probe-components';
import { addSamples } from '../status/status-store';

const TICK_MS = 20_000;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;

/** Jobs that one process runs when they are due; every process ticks. */
export const OPERATION_JOBS: readonly RepeatingJob[] = [
  { name: 'reconcile', everyMs: MINUTE_SECONDS * 1000, recorded: false, run: reconcileIfDue },
  { name: 'status', everyMs: TICK_MS, recorded: false, run: sampleStatus },
  { name: 'alerts', everyMs: TICK_MS, recorded: false, run: runAlerts },
];

/**
 * Reconciles without asking the payment provider, as often as the setting says.
 * @returns the end of the run that it started; null if none
 */
export async function reconcileIfDue(runtime: Runtime): Promise<{ ended: Promise<void> } | null> {
  const everySeconds = runtime.settings.operation.reconcileHours * HOUR_SECONDS;
  if (everySeconds === 0) return null;
  if (!(await claimRun(runtime.db, { name: 'reconcile', everySeconds, first: 'later' }))) return null;
  try {
    return await startReconcile(runtime, { name: 'system:timer', requestId: newId('request') }, false);
  } catch (error) {
    // One that an operator has started is as good.
    if (!(error instanceof GatewayError && error.code === 'INVALID_INPUT')) throw error;
    return null;
  }
}

/**
 * Adds a sample of every component to the uptime of today, once a minute in one process that serves
 * requests: one that stops would report an outage while others serve.
 */
export async function sampleStatus(runtime: Runtime): Promise<void> {
  const { db, observer } = runtime;
  if (observer.health.stopping) return;
  const job = { name: 'status', everySeconds: MINUTE_SECONDS };
  const last = (await listBackgroundJobs(db)).find(({ name }) => name === job.name);
  if (!(await claimRun(db, { ...job, first: 'now' }))) return;
  await recordRun(runtime, { ...job, schedules: false }, async () => {
    const probes = await probeComponents(runtime);
    const samples = probes.map(({ id, state }) => ({ component: id, state }));
    await addSamples(db, samples, last?.startedAt ?? null);
  });
}
