'use client';

import { formatRelative, formatTime } from '../ui/time-format';
import { useTimes } from '../ui/time-provider';

/** When a background job runs next: `in 3 minutes`, or `due now` until a process starts it. */
export function NextRun({ at }: { at: string }) {
  const { zone } = useTimes();
  const moment = new Date(at);
  const left = moment.getTime() - Date.now();
  return (
    <time
      dateTime={at}
      title={formatTime(moment, 'second', zone)}
      // Time passes between the two renders.
      suppressHydrationWarning
      className="whitespace-nowrap tabular-nums"
    >
      {left > 0 ? formatRelative(left) : 'due now'}
    </time>
  );
}
