import { expect, it } from 'vitest';
import { csvHref, isNarrowed, periodWords, readView, writeView } from './view';

const read = (query: string) => {
  const params = new URLSearchParams(query);
  return readView((name) => params.get(name));
};

it('reads the same filter back from the URL it writes, and drops invalid values', () => {
  const query =
    '?billing=crew&key=key_1&tool=math&member=user_1&tag=nightly&status=error&from=2026-01-01&to=2026-01-31';
  expect(writeView(read(query))).toBe(query);
  expect(read('?status=odd&from=2026-02-31&period=never')).toEqual({ period: '30d' });
  for (const day of ['0001-01-01', '1999-12-31', '2200-01-01', '9999-12-31'])
    expect(read(`?from=${day}&to=${day}`)).toEqual({ period: '30d' });
  expect(writeView(read('?period=90d'))).toBe('?period=90d');
  expect(writeView(read('?period=30d'))).toBe('');
  expect(read('?period=90d&from=2026-01-01')).toEqual({ from: '2026-01-01' });
  expect(read(`?tool=${'x'.repeat(65)}`)).toEqual({ period: '30d' });
  expect(read('?request=a%00b')).toEqual({ period: '30d' });
});

it('builds the CSV link and the words for the period from the same filter', () => {
  expect(csvHref(read('?key=key_1&period=7d'))).toBe('/dashboard/usage/calls.csv?key_id=key_1&period=7d');
  expect(periodWords(read('?from=2026-01-01&to=2026-01-31'))).toBe('1 Jan 2026 – 31 Jan 2026');
  expect(periodWords(read(''))).toBe('last 30 days');
  expect(isNarrowed(read('?billing=crew&period=7d'))).toBe(false);
  expect(isNarrowed(read('?tool=math'))).toBe(true);
});
