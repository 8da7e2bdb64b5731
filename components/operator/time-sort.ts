import { TIME_SORTS } from '@/server/operations/operator/limits';
import type { Sort } from '../ui/table-sort';

/** The order of a list unless the URL has another. */
export const NEWEST_FIRST: Sort = { by: 'created', direction: 'desc' };

/** The order by time in a URL; undefined if there is none. */
export function readTimeSort(get: (name: string) => string | null) {
  return TIME_SORTS.find((sort) => sort === get('sort'));
}
