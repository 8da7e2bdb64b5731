'use client';

import { type FocusEvent, type KeyboardEvent, useState } from 'react';

/** The bucket being read, selected by pointer, touch or arrow keys. */
export function useReadout(buckets: number) {
  const [active, setActive] = useState<number | null>(null);

  function move(event: KeyboardEvent) {
    const last = buckets - 1;
    const at = active ?? last + 1;
    if (event.key === 'Escape') setActive(null);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (next === undefined || buckets === 0) return;
    event.preventDefault();
    setActive(Math.min(last, Math.max(0, next)));
  }

  /** Focus by keyboard reads the newest bar at once. */
  function readLast(event: FocusEvent) {
    if (buckets > 0 && event.target.matches(':focus-visible')) setActive(buckets - 1);
  }

  return { active: active !== null && active < buckets ? active : null, setActive, move, readLast };
}
