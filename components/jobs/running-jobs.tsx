'use client';

import dynamic from 'next/dynamic';
import type { OwnJobList } from '@/server/calls/jobs/schema';
import { useRunningJobs } from './queries';

/** Only while something runs. */
const RunningList = dynamic(() => import('./running-list').then((module) => module.RunningList));

/**
 * What runs now, for the overview; nothing where nothing does.
 * @param initial `jobs.listOwn` with status `running` and a limit of 5
 */
export function RunningJobs({ initial }: { initial: OwnJobList }) {
  const { data, dataUpdatedAt } = useRunningJobs(initial);
  return data.running === 0 ? null : <RunningList list={data} toldAt={dataUpdatedAt} />;
}
