import type { Settings } from '../../../platform/settings/settings';

/** The background jobs of a gateway, in the order of their page. */
export const JOB_LABELS: Readonly<Record<string, string>> = {
  reconcile: 'Reconcile',
  sweep: 'Retention sweep',
  backup: 'Backup',
  mails: 'Email delivery and retries',
  webhooks: 'Webhook retries',
  events: 'Missed payment events',
  checkouts: 'Open checkouts',
  topups: 'Interrupted top-ups',
  reloads: 'Auto-recharge',
  expiring_keys: 'Expiring keys',
  tool_checks: 'Checks of imported tools',
  status: 'Status probes',
  alerts: 'Alerts',
};

export function getJobLabel(name: string): string {
  return JOB_LABELS[name] ?? name;
}

/** The jobs that a setting turned off: the times of their last and next run say nothing. */
export function listOffJobs({
  importCheckMinutes,
  operation,
}: Pick<Settings, 'importCheckMinutes' | 'operation'>): ReadonlySet<string> {
  return new Set([
    ...(operation.reconcileHours === 0 ? ['reconcile'] : []),
    ...(importCheckMinutes === 0 ? ['tool_checks'] : []),
  ]);
}
