'use client';

import type { LiveState } from '../live/channel';
import { useLive } from '../live/live-state';
import { cn } from '../ui/cn';

const STATES: Record<LiveState, { word: string; tone: string; hint: string }> = {
  connecting: { word: 'Connecting', tone: 'bg-line-strong', hint: 'Live updates start in a moment.' },
  live: { word: 'Live', tone: 'bg-success', hint: 'Changes appear automatically.' },
  lost: {
    word: 'Not live',
    tone: 'bg-warning',
    hint: 'The connection to the gateway is down. The page refreshes when you return to this tab.',
  },
};

/** Whether the page receives live updates. */
export function LiveMark() {
  const { word, tone, hint } = STATES[useLive()];
  return (
    <span
      role="status"
      title={hint}
      className="flex w-24 items-center gap-2 text-muted text-sm sm:justify-end"
    >
      <span aria-hidden className={cn('size-2 rounded-full', tone)} />
      {word}
    </span>
  );
}
