import { describe, expect, it } from 'vitest';
import { loadText } from './testing/load-text';

/** One column `v` with these values. */
const load = (values: readonly string[], options = {}) => loadText(`v\n${values.join('\n')}\n`, options);

describe('numbers of a CSV', () => {
  it.each([
    [['1', '-2', '0'], 'BIGINT', [1, -2, 0]],
    [['9223372036854775807', '1'], 'BIGINT', ['9223372036854775807', 1]],
    [['-9223372036854775807'], 'BIGINT', ['-9223372036854775807']],
    [['9223372036854775808'], 'HUGEINT', ['9223372036854775808']],
    [['92055901755477000012', '5'], 'HUGEINT', ['92055901755477000012', 5]],
    [['9'.repeat(38)], 'HUGEINT', ['9'.repeat(38)]],
    [['9'.repeat(39)], 'VARCHAR', ['9'.repeat(39)]],
    [['12345678901234567.89', '1.5'], 'DECIMAL(38,2)', ['12345678901234567.89', '1.50']],
    [['1.5', '9007199254740993'], 'DECIMAL(38,1)', ['1.5', '9007199254740993.0']],
    [[`0.${'1'.repeat(40)}`], 'VARCHAR', [`0.${'1'.repeat(40)}`]],
    [['12345678901234567.89', '1e+30'], 'VARCHAR', ['12345678901234567.89', '1e+30']],
    [['0.1', '2', '-0.30000000000000004'], 'DOUBLE', [0.1, 2, -0.30000000000000004]],
    [['1.5e10', '2E+3', '1e-07'], 'DOUBLE', [1.5e10, 2000, 1e-7]],
    [['.5', ' 7 '], 'DOUBLE', [0.5, 7]],
    [['-9223372036854775807 '], 'BIGINT', ['-9223372036854775807']],
    [['-0', '5e-324', '1.7976931348623157e+308'], 'DOUBLE', [-0, 5e-324, 1.7976931348623157e308]],
    [['1.5', 'NaN', '-inf'], 'DOUBLE', [1.5, 'NaN', '-Infinity']],
    [['1', '', '3'], 'BIGINT', [1, null, 3]],
  ])('%j are %s', async (values, type, expected) => {
    const { types, rows } = await load(values);
    expect(types).toEqual({ v: type });
    expect(rows.map(({ v }) => v)).toEqual(expected);
  });

  it.each([
    ['007', '1'],
    ['00.5'],
    ['+491234567'],
    ['1e5', '12E3'],
    ['1e+400'],
    ['1.5e-400'],
    ['1,5'],
    ['1.234,56'],
    ['1 000'],
    ['5.'],
    ['0x1F'],
    ['1_000'],
    ['NaN', 'Inf'],
    ['12-34'],
    ['1', 'NA'],
    ['$5'],
    ['10%'],
  ])('%j, … stay text as written', async (...values) => {
    const { types, rows } = await load(values);
    expect(types).toEqual({ v: 'VARCHAR' });
    expect(rows.map(({ v }) => v)).toEqual(values);
  });

  it('differ beyond 2^53', async () => {
    const text = 'track,n\n92055901755477000012,1\n92055901755477000013,2\n';
    const { rows } = await loadText(text, {
      sql: 'SELECT count(DISTINCT track) AS n, min(track) AS t FROM t1',
    });
    expect(rows).toEqual([{ n: 2, t: '92055901755477000012' }]);
  });

  it('have the decimal separator that the caller names', async () => {
    const text = 'name;price\na;3,94\nb;1.000\n';
    const plain = await loadText(text);
    expect(plain.types).toEqual({ name: 'VARCHAR', price: 'VARCHAR' });
    expect(plain.dialect.notes.join()).toMatch(/"price" is text, with values such as 3,94\. Pass decimal/);
    const { rows, types } = await loadText('a;b\n3,94;12345678901234567,89\n-1,5;7\n', { decimal: ',' });
    expect(types).toEqual({ a: 'DOUBLE', b: 'DECIMAL(38,2)' });
    expect(rows).toEqual([
      { a: 3.94, b: '12345678901234567.89' },
      { a: -1.5, b: '7.00' },
    ]);
    expect((await load(['1.5'], { decimal: ',' })).types).toEqual({ v: 'VARCHAR' });
  });

  it.each([
    [{ decimal: ',', thousands: '.' }, ['1.234,56', '-12.345.678,5', '7'], [1234.56, -12345678.5, 7]],
    [{ decimal: ',', thousands: '.' }, ['1.234', '12345'], [1234, 12345]],
    [{ decimal: ',', thousands: '.' }, ['12.345.678.901.234.567,89'], ['12345678901234567.89']],
    [
      { decimal: ',', thousands: ' ' },
      ['1 234,5', '1\u00a0234', '12\u202f345\u202f678'],
      [1234.5, 1234, 12345678],
    ],
    [{ thousands: "'" }, ["1'234.5", '1’234'], [1234.5, 1234]],
    [{ thousands: ',' }, ['"1,234.5"', '999'], [1234.5, 999]],
  ] as const)('%j: %j are %j', async (options, values, expected) => {
    const text = values.map((value) => `${value};x\n`).join('');
    const { rows } = await loadText(`v;w\n${text}`, { delimiter: ';', ...options });
    expect(rows.map(({ v }) => v)).toEqual(expected);
  });

  it.each([['1.2345'], ['1.23'], ['0.123'], ['1.234', '31.12.2026'], ['1.234.56,7'], ['.123']])(
    '%j stay text with another grouping',
    async (...values) => {
      const { types } = await load(values, { decimal: ',', thousands: '.' });
      expect(types).toEqual({ v: 'VARCHAR' });
    },
  );

  it.each([
    ['1.234,56', {}, 'Pass decimal: "," and thousands: "."'],
    ['1.234,56', { decimal: ',' }, 'Pass decimal: "," and thousands: "."'],
    ['1,234.56', {}, 'Pass thousands: ","'],
    ['1 234,56', {}, 'Pass thousands: " ", and decimal: ","'],
    ["1'234.56", {}, 'Pass thousands: "\'"'],
  ] as const)('explain %s: %j', async (value, options, note) => {
    const { dialect } = await loadText(`v;w\n${value};x\n`, options);
    expect(dialect.notes.join()).toContain(note);
  });
});

describe('types of a CSV come from the whole file', () => {
  it.each([
    ['0.6', 'DOUBLE'],
    ['007', 'VARCHAR'],
    ['x', 'VARCHAR'],
    ['2026-01-05', 'VARCHAR'],
  ])('with %s in row 20,501', async (last, type) => {
    const values = [...Array(20_500).fill('7'), last];
    const { types, rows } = await load(values, { sql: 'SELECT v::VARCHAR AS v FROM t1' });
    expect(types).toEqual({ v: type });
    expect(rows.at(-1)).toEqual({ v: last });
  });

  it('with a late time in a column of dates', async () => {
    const late = '2026-01-05 23:30:00';
    const { rows } = await load([...Array(20_500).fill('2026-01-04'), late]);
    expect(rows.at(-1)).toEqual({ v: late });
    expect(rows[0]).toEqual({ v: '2026-01-04' });
  });
});

describe('dates of a CSV', () => {
  it.each([
    [[' 2026-01-02 ', '9999-12-31'], 'DATE', ['2026-01-02', '9999-12-31']],
    [['2026-01-02', '2024-02-29'], 'DATE', ['2026-01-02', '2024-02-29']],
    [
      ['2026-01-02 10:00:00', '2026-01-02T23:30'],
      'TIMESTAMP',
      ['2026-01-02 10:00:00', '2026-01-02 23:30:00'],
    ],
    [['2026-01-02T10:00:00.123456'], 'TIMESTAMP', ['2026-01-02 10:00:00.123456']],
    [
      ['2026-01-02T10:00:00Z', '2026-01-02 10:00:00+02:00'],
      'TIMESTAMP WITH TIME ZONE',
      ['2026-01-02 10:00:00+00', '2026-01-02 08:00:00+00'],
    ],
    [['10:11:12', '23:59:59.5'], 'TIME', ['10:11:12', '23:59:59.5']],
    [['true', 'FALSE'], 'BOOLEAN', [true, false]],
  ])('%j are %s', async (values, type, expected) => {
    const { types, rows } = await load(values);
    expect(types).toEqual({ v: type });
    expect(rows.map(({ v }) => v)).toEqual(expected);
  });

  it.each([
    ['31.12.25'],
    ['1/2/26 14:00'],
    ['02/01/2026'],
    ['10.1.2'],
    ['16/9/1'],
    ['1-2-3'],
    ['16:9'],
    ['12:30'],
    ['24:00:00'],
    ['2026-02-30'],
    ['2025-02-29'],
    ['0000-01-01'],
    ['2026-1-2'],
    ['2026-01'],
    ['2026-W01-1'],
    ['2026-01-02 25:00:00'],
    ['2026-01-02 10:00:00.1234567'],
    ['Jan 2, 2026'],
    ['20260102T101112'],
    [' true'],
    ['2026-01-02T10:00 '],
    ['yes', 'no'],
    ['true', '1'],
  ])('%s, … stay text as written', async (...values) => {
    const { types, rows } = await loadText(`v;w\n${values.map((value) => `${value};x\n`).join('')}`);
    expect(types).toEqual({ v: 'VARCHAR', w: 'VARCHAR' });
    expect(rows.map(({ v }) => v)).toEqual(values);
  });

  it.each([
    [['2025/12/31'], '2025-12-31 00:00:00'],
    [['2026-1-5 9:30'], '2026-01-05 09:30:00'],
    [['31.12.25'], '2025-12-31 00:00:00'],
    [['1/13/26 2:05 PM'], '2026-01-13 14:05:00'],
    [['1/2/2026 14:05:09'], '2026-02-01 14:05:09'],
    [['2026-01-05', '2026-01-05 23:30:00'], '2026-01-05 00:00:00+00'],
    [['2026-01-05 23:30:00+02:00', '2026-01-05'], '2026-01-05 21:30:00+00'],
  ])('%j, … are explained with SQL that converts them', async (values, expected) => {
    const csv = `day;n\n${values.join(';1\n')};1\n`;
    const notes = (await loadText(csv)).dialect.notes.join('\n');
    const [sql] = /(strptime|CAST)\("day".*?'?\)(?=[. ])/.exec(notes) ?? [];
    const { rows } = await loadText(csv, { sql: `SELECT ${sql} AS day FROM t1` });
    expect(rows[0]).toEqual({ day: expected });
  });

  it('are explained with the field that reads them, if there is one', async () => {
    const explain = async (day: string) => (await loadText(`day;n\n${day};1\n`)).dialect.notes.join();
    expect(await explain('31.12.2025')).toMatch(/such as 31\.12\.2025\. Pass dates: dmy or mdy/);
    expect(await explain('31.12.25')).not.toContain('Pass dates');
  });

  it.each([
    ['dmy', '02/01/2026', 'DATE', '2026-01-02'],
    ['mdy', '02/01/2026', 'DATE', '2026-02-01'],
    ['dmy', '31.12.2025', 'DATE', '2025-12-31'],
    ['dmy', '1-2-2026', 'DATE', '2026-02-01'],
    ['mdy', '1/2/2026 2:05 PM', 'TIMESTAMP', '2026-01-02 14:05:00'],
    ['dmy', '1/2/2026 14:05:09', 'TIMESTAMP', '2026-02-01 14:05:09'],
    ['mdy', '31/12/2025', 'VARCHAR', '31/12/2025'],
    ['dmy', '31.12.25', 'VARCHAR', '31.12.25'],
    ['dmy', '2026-01-02', 'DATE', '2026-01-02'],
  ] as const)('with dates: %s, %s is a %s: %s', async (dates, value, type, expected) => {
    const { types, rows } = await load([value, value], { dates });
    expect(types).toEqual({ v: type });
    expect(rows).toEqual([{ v: expected }, { v: expected }]);
  });
});
