import { expect, it } from 'vitest';
import { readFilters, writeFilters } from './statement-filters';

const read = (query: string) => {
  const params = new URLSearchParams(query);
  return readFilters((name) => params.get(name));
};

it('reads the same filters back from the URL it writes', () => {
  const filters = { from: '2026-01-31', to: '2026-02-28', kind: 'refund' } as const;
  expect(read(writeFilters(filters, 'acme'))).toEqual(filters);
  expect(writeFilters(filters, 'acme')).toBe('?billing=acme&from=2026-01-31&to=2026-02-28&kind=refund');
  expect(writeFilters({}, undefined)).toBe('');
});

it('drops days and kinds that do not exist', () => {
  expect(read('from=2026-02-31&to=tomorrow&kind=toString')).toEqual({});
  expect(read('from=2026-2-1&to=&kind=')).toEqual({});
});
