'use client';

import type { OwnJobList } from '@/server/calls/jobs/schema';
import { lazyPart } from '../ui/lazy-part';
import { useRunningJobs } from './queries';

/** Loaded only while a job runs. */
const RunningList = lazyPart(() => import('./running-list').then((module) => module.RunningList));

/**
 * The running jobs on the overview; renders nothing if there are none.
 * @param initial `jobs.listOwn` with status `running` and a limit of 5
 */
export function RunningJobs({ initial }: { initial: OwnJobList }) {
  const { data, dataUpdatedAt } = useRunningJobs(initial);
  return data.running === 0 ? null : <RunningList list={data} receivedAt={dataUpdatedAt} />;
}
