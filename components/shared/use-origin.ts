'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** The page's origin, for commands to copy; a placeholder of similar length until hydration. */
export function useOrigin(): string {
  return useSyncExternalStore(
    never,
    () => window.location.origin,
    () => 'http://localhost:3000',
  );
}
