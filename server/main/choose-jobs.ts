import { BACKGROUND_JOBS } from '../lifecycle/background-jobs';
import type { MoneyJob } from '../money/money-timer';
import { OPERATION_JOBS } from '../operations/operator/background/operation-jobs';
import type { BootedSettings } from '../platform/settings/settings';

/** The background jobs of a process. Pure. */
export function chooseJobs(
  role: 'web' | 'worker' | 'command',
  { smtpUrl }: Pick<BootedSettings, 'smtpUrl'>,
): readonly MoneyJob[] {
  if (role === 'command') return [];
  const jobs = [...BACKGROUND_JOBS, ...OPERATION_JOBS];
  if (role === 'web') return jobs;
  // A worker lives on while no web process responds: its samples would hide that.
  const not = ['status'];
  // Without SMTP it must not deliver email: the inbox is a page of the web process.
  if (!smtpUrl) not.push('mails', 'alerts');
  return jobs.filter(({ name }) => !not.includes(name));
}
