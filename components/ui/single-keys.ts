'use client';

import { useSyncExternalStore } from 'react';

/** Where it is kept that single keys do nothing; absent means that they work. */
const STORAGE_KEY = 'single-keys';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether `/`, `?` and `g` with a letter do something. Speech input and unsteady hands press them by accident. */
export function singleKeysOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return true;
  }
}

/** Kept in this browser; where its storage is closed to us, they stay on. */
export function setSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, 'off');
  } catch {
    // Nothing to keep it in.
  }
  for (const listener of listeners) listener();
}

/** The same for a switch. */
export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribe, singleKeysOn, () => true);
}
