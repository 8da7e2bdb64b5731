'use client';

import { useSyncExternalStore } from 'react';
import type { LiveState } from './channel';

let current: LiveState = 'connecting';
const listeners = new Set<() => void>();

/** Set by the tab's channel. */
export function setLiveState(next: LiveState): void {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the page receives live updates. */
export function useLive(): LiveState {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => 'connecting',
  );
}
