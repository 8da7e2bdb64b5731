'use client';

import { useEffect, useState } from 'react';

let made = 0;

/** Stable React keys for list items, so that each keeps its incomplete input when others move. */
export function useKeys(length: number) {
  const [keys, setKeys] = useState<readonly number[]>([]);
  const all = length <= keys.length ? keys.slice(0, length) : [...keys, ...newKeys(length - keys.length)];
  if (all.length !== keys.length) setKeys(all);
  return {
    all,
    move(from: number, to: number) {
      const next = [...all];
      next.splice(to, 0, ...next.splice(from, 1));
      setKeys(next);
    },
    remove(at: number) {
      setKeys(all.filter((_, index) => index !== at));
    },
  };
}

function newKeys(count: number): number[] {
  return Array.from({ length: count }, () => ++made);
}

/** Focuses an element that exists only after the next render. */
export function useFocusNext(): (id: string) => void {
  const [next, setNext] = useState<{ id: string } | null>(null);
  useEffect(() => {
    if (next) document.getElementById(next.id)?.focus();
  }, [next]);
  return (id) => setNext({ id });
}

/**
 * The value of a cleared item, which must keep its position: an empty string for text, otherwise
 * null.
 */
export function getClearedValue(item: unknown): unknown {
  return typeof item === 'string' ? '' : null;
}
