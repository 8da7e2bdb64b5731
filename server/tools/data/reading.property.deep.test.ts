import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadText } from './testing/load-text';

const SIGNS = fc.constantFrom(...'ab "\',;\n\r\t\\|\0é€ ä1.-#');
const cell = fc.oneof(
  fc.string({ unit: SIGNS }),
  fc.constantFrom('', 'x', ' ', '"', '""', '\\"', "'", '007', '1e5', '12345678901234567.89', '2026-01-02'),
  fc.integer().map(String),
);

describe('any table written as CSV', () => {
  it('is read as written', async () => {
    const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 6 });
    const delimiters = fc.constantFrom(',', ';', '\t', '|');
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    const form = fc.tuple(delimiters, ends, fc.boolean(), fc.boolean(), fc.constantFrom('"', '\\'));
    await fc.assert(
      fc.asyncProperty(table, form, async (rows, [delimiter, end, quotesAll, endsLast, sign]) => {
        const write = (value: string) =>
          quotesAll || /["\n\r]/.test(value) || value.includes(delimiter)
            ? `"${value.replaceAll(sign, sign + sign).replaceAll('"', sign === '"' ? '"' : '\\"')}"`
            : value;
        const lines = [['first', 'b', 'c', 'd'], ...rows.map((row) => ['~', ...row])];
        const text = lines.map((line) => line.map(write).join(delimiter)).join(end) + (endsLast ? end : '');
        const { rows: read, types } = await loadText(text, { escape: sign });
        const names = Object.entries(types).slice(1);
        expect(read.map((row) => names.map(([name]) => row[name]))).toEqual(
          rows.map((row) => row.map((value, at) => toExpected(value, names[at]?.[1] ?? ''))),
        );
      }),
      { numRuns: 150 },
    );
  });
});

/** The value as a column of a type has it. */
function toExpected(value: string, type: string): unknown {
  if (value === '') return null;
  if (type === 'VARCHAR' || type === 'DATE') return value;
  return type.startsWith('DECIMAL') ? expect.stringContaining(value.trim()) : Number(value);
}

const key = fc.constantFrom('a', 'b', 'c', 'É"', '__proto__');
const scalar = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.boolean(),
  fc.constant(null),
  fc.string(),
  fc.constantFrom('2026-01-01', 'true', '12', ''),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

/** Writes JSON with all digits. */
function write(item: unknown): string {
  if (typeof item === 'bigint') return String(item);
  if (Array.isArray(item)) return `[${item.map(write).join(',')}]`;
  if (typeof item !== 'object' || item === null) return JSON.stringify(item);
  return `{${Object.entries(item)
    .map(([name, inner]) => `${JSON.stringify(name)}:${write(inner)}`)
    .join(',')}}`;
}

describe('any records written as JSON', () => {
  it('are read with all rows, fields, texts and digits', async () => {
    const record = fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 4 }).map(Object.fromEntries);
    const records = fc.array(record, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(records, fc.boolean(), async (written, isList) => {
        const lines = written.map(write);
        const text = isList ? `[${lines.join(',\n')}]` : lines.join('\n');
        const { rows, types } = await loadText(text, { format: 'json' });
        expect(rows).toHaveLength(written.length);
        for (const [at, row] of written.entries())
          for (const [name, item] of Object.entries<unknown>(row)) {
            const read = rows[at]?.[name];
            if (item === null) expect(read).toBeNull();
            if (typeof item === 'string') expect(read).toBe(item);
            if (typeof item !== 'bigint') continue;
            if (types[name] === 'DOUBLE') expect(read).toBe(Number(item));
            else expect(String(read).replace(/\.0+$/, '')).toBe(String(item));
          }
      }),
      { numRuns: 150 },
    );
  });
});
