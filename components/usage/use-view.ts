'use client';

import { useSearchParams } from 'next/navigation';
import type { UsageFilter } from '@/server/usage/schema';
import { useUrlQuery } from '../shared/use-url-query';
import type { Wider } from './none-fit';
import { DEFAULT_PERIOD, isNarrowed, readView } from './view';

/** The filter of a usage page, which is in the URL. */
export function useView() {
  const params = useSearchParams();
  const filter = readView((name) => params.get(name));
  const [, set] = useUrlQuery();

  /** Changes only the given filters, including to undefined. A date range replaces the period. */
  function change(next: UsageFilter) {
    const { key_id: key, period, every_account: _, error_code: error, ...rest } = next;
    set({
      ...rest,
      ...('key_id' in next && { key }),
      ...('error_code' in next && { error }),
      ...('period' in next && { period: period === DEFAULT_PERIOD ? null : period }),
      ...((next.from || next.to) && { period: null }),
    });
  }

  function clear() {
    set({ key: null, tool: null, member: null, tag: null, status: null, from: null, to: null });
    set({ request: null, id: null, error: null });
  }

  /** What shows more calls, if anything does. */
  function chooseWider(onClear: () => void): Wider | undefined {
    if (isNarrowed(filter) || filter.from || filter.to) return { by: 'filters', widen: onClear };
    return filter.period === 'all' ? undefined : { by: 'period', widen: () => change({ period: 'all' }) };
  }

  return { filter, change, clear, chooseWider };
}
