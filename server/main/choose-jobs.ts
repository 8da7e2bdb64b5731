import { BACKGROUND_JOBS } from '../lifecycle/background-jobs';
import { OPERATION_JOBS } from '../operations/operator/background/operation-jobs';
import type { RepeatingJob } from '../platform/background/job-timer';
import type { BootedSettings } from '../platform/settings/settings';

/** The background jobs of a process. Pure. */
export function chooseJobs(
  role: 'web' | 'worker' | 'command',
  { smtpUrl }: Pick<BootedSettings, 'smtpUrl'>,
): readonly RepeatingJob[] {
  if (role === 'command') return [];
  const jobs = [...BACKGROUND_JOBS, ...OPERATION_JOBS];
  if (role === 'web') return jobs;
  // A worker lives on while no web process responds: its samples would hide that.
  const not = ['status'];
  // Without SMTP it must not deliver email: the inbox is a page of the web process.
  if (!smtpUrl) not.push('mails', 'alerts');
  return jobs.filter(({ name }) => !not.includes(name));
}
