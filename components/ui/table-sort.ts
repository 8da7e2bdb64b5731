export interface Sort {
  by: string;
  direction: 'asc' | 'desc';
}

export interface SortColumn<Row> {
  id: string;
  /** Offers sorting by this column, and returns the value of a row that it is sorted by. */
  sortBy?: (row: Row) => string | number | null;
}

/** For a column of a paged list, which the server sorts: the column only offers the order. */
export const SORTED_BY_SERVER = () => null;

/** Sorts rows by a column; stable. For lists that are fully loaded. */
export function sortRows<Row>(
  rows: readonly Row[],
  sort: Sort | null,
  columns: readonly SortColumn<Row>[],
): Row[] {
  const valueIn = columns.find(({ id }) => id === sort?.by)?.sortBy;
  if (!sort || !valueIn) return [...rows];
  const sign = sort.direction === 'asc' ? 1 : -1;
  return [...rows].sort((a, b) => sign * compare(valueIn(a), valueIn(b)));
}

/** Null sorts first in ascending order. */
function compare(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  if (typeof a === 'string' && typeof b === 'string') return a.localeCompare(b, 'en', { numeric: true });
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Parses a sort order from a URL, such as `cost.desc`. Null if invalid. */
export function readSort<Row>(text: string | null, columns: readonly SortColumn<Row>[]): Sort | null {
  const [name = '', direction] = (text ?? '').split('.');
  const sortable = columns.some(({ id, sortBy }) => id === name && sortBy);
  if (!sortable || (direction !== 'asc' && direction !== 'desc')) return null;
  return { by: name, direction };
}

export function writeSort(sort: Sort | null): string | null {
  return sort && `${sort.by}.${sort.direction}`;
}
