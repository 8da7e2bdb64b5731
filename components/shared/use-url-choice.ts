'use client';

import { useUrlQuery } from './use-url-query';

/**
 * One of a few values, stored in the URL under `name` so that a view can be shared; the first one
 * is the default and omitted.
 */
export function useUrlChoice<T extends string>(
  name: string,
  choices: readonly [T, ...T[]],
): [T, (next: T) => void] {
  const [get, set] = useUrlQuery();
  const current = choices.find((choice) => choice === get(name)) ?? choices[0];
  return [current, (next) => set({ [name]: next === choices[0] ? null : next })];
}
