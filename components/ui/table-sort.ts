export interface Sort {
  by: string;
  direction: 'asc' | 'desc';
}

/** Sorts rows by a column; stable. For lists that are fully loaded. */
export function sortRows<Row>(
  rows: readonly Row[],
  sort: Sort | null,
  valueIn: (row: Row, by: string) => string | number | null,
): Row[] {
  if (!sort) return [...rows];
  const sign = sort.direction === 'asc' ? 1 : -1;
  return [...rows].sort((a, b) => sign * compare(valueIn(a, sort.by), valueIn(b, sort.by)));
}

/** Null sorts first in ascending order. */
function compare(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  if (typeof a === 'string' && typeof b === 'string') return a.localeCompare(b, 'en', { numeric: true });
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Parses a sort order from a URL, such as `cost.desc`. Null if invalid. */
export function readSort(text: string | null, by: readonly string[]): Sort | null {
  const [name = '', direction] = (text ?? '').split('.');
  if (!by.includes(name) || (direction !== 'asc' && direction !== 'desc')) return null;
  return { by: name, direction };
}

export function writeSort(sort: Sort | null): string | null {
  return sort && `${sort.by}.${sort.direction}`;
}
