'use client';

import { useEffect, useState } from 'react';

let made = 0;

/** Keys for the items of a list that have none, so that each keeps its half-typed text when others move. */
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

/** Puts the focus on an element that is there only after the change. */
export function useFocusNext(): (id: string) => void {
  const [next, setNext] = useState<{ id: string } | null>(null);
  useEffect(() => {
    if (next) document.getElementById(next.id)?.focus();
  }, [next]);
  return (id) => setNext({ id });
}

/** An item cannot be left out of its place: emptied, a text is an empty one, all else is null until it is something. */
export function emptyOf(item: unknown): unknown {
  return typeof item === 'string' ? '' : null;
}
