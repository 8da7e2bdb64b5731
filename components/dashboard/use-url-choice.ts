'use client';

import { usePathname, useSearchParams } from 'next/navigation';

/** One of a few values kept in the URL under `name`, so that a view can be shared; the first one is left out of it. */
export function useUrlChoice<T extends string>(
  name: string,
  choices: readonly [T, ...T[]],
): [T, (next: T) => void] {
  const params = useSearchParams();
  const pathname = usePathname();
  const current = choices.find((choice) => choice === params.get(name)) ?? choices[0];

  function choose(next: T) {
    const query = new URLSearchParams(window.location.search);
    if (next === choices[0]) query.delete(name);
    else query.set(name, next);
    const text = query.toString();
    window.history.replaceState(null, '', text ? `${pathname}?${text}` : pathname);
  }
  return [current, choose];
}
