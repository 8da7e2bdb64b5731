import { describe, expect, it } from 'vitest';
import { loadText } from './testing/load-text';

const load = (text: string | Uint8Array, options = {}) =>
  loadText(text, { filename: 'file.json', ...options });
/** Records with one field `v`, as JSON Lines and as a list. */
const forms = (values: readonly string[]) => {
  const records = values.map((value) => `{"v":${value}}`);
  return [`${records.join('\n')}\n`, `[${records.join(',\n')}]`];
};

describe('JSON and JSON Lines', () => {
  it('read the same with a byte order mark', async () => {
    for (const text of forms(['1', '2'])) {
      const marked = await load(`\uFEFF${text}`);
      expect(marked).toEqual(await load(text));
      expect(marked.rows).toEqual([{ v: 1 }, { v: 2 }]);
      expect((await load(Buffer.from(`\uFEFF${text}`, 'utf16le'))).rows).toEqual(marked.rows);
    }
  });

  it.each([
    ['numbers', ['1', '-2'], 'BIGINT', [1, -2]],
    ['fractions', ['1', '2.5', '1e5', '-0'], 'DOUBLE', [1, 2.5, 100000, 0]],
    ['words', ['"a"', '"12"', '"true"'], 'VARCHAR', ['a', '12', 'true']],
    ['truth values', ['true', 'null'], 'BOOLEAN', [true, null]],
    ['nulls', ['null'], 'VARCHAR', [null]],
    ['mixed types', ['12', '"timeout"', '12.5', 'true'], 'VARCHAR', ['12', 'timeout', '12.5', 'true']],
    ['text and objects', ['"x"', '{"a":[1]}'], 'VARCHAR', ['x', '{"a":[1]}']],
    ['numbers and lists', ['0', '[]', '{}'], 'VARCHAR', ['0', '[]', '{}']],
    ['lists', ['[1,2]', '[]'], 'BIGINT[]', [[1, 2], []]],
    ['mixed lists', ['[1,"x"]'], 'VARCHAR[]', [['1', 'x']]],
    ['dates', ['"2026-01-02"'], 'DATE', ['2026-01-02']],
    ['times', ['"2026-01-02T10:00:00Z"'], 'TIMESTAMP WITH TIME ZONE', ['2026-01-02 10:00:00+00']],
    ['other dates', ['"02-01-2026"', '"03-01-2026"'], 'VARCHAR', ['02-01-2026', '03-01-2026']],
    [
      'a date and a time',
      ['"2026-01-02"', '"2026-01-02 10:00:00"'],
      'VARCHAR',
      ['2026-01-02', '2026-01-02 10:00:00'],
    ],
    ['ids', ['9007199254740993'], 'BIGINT', ['9007199254740993']],
    ['long ids', ['92055901755477000012', '5'], 'HUGEINT', ['92055901755477000012', 5]],
    ['exact sums', ['12345678901234567.89', '1.5'], 'DECIMAL(38,2)', ['12345678901234567.89', '1.50']],
    ['ids among fractions', ['9007199254740993', '0.1'], 'DECIMAL(38,1)', ['9007199254740993.0', '0.1']],
    ['ids among words', ['9007199254740993', '"x"', '1e400'], 'VARCHAR', ['9007199254740993', 'x', '1e400']],
    ['NaN', ['NaN', '1.5'], 'DOUBLE', ['NaN', 1.5]],
  ])('keep %s', async (_, values, type, expected) => {
    for (const text of forms(values)) {
      const { types, rows } = await load(text);
      expect(types).toEqual({ v: type });
      expect(rows.map(({ v }) => v)).toEqual(expected);
    }
  });

  it('keep digits at every depth', async () => {
    const text =
      '[{"a":{"id":92055901755477000012,"n":[9007199254740993,0.5]},"b":[1]},{"a":{"id":"x","n":[]},"b":[]}]';
    const { rows } = await load(text);
    expect(rows[0]).toEqual({ a: { id: '92055901755477000012', n: ['9007199254740993', '0.5'] }, b: [1] });
    const { rows: nested } = await load('{"m":{"v":1,"day":"02-01-2026"}}\n{"m":{"v":"x"}}\n', {
      sql: "SELECT m.v, m.day FROM t1 WHERE m.v IN ('x', '1')",
    });
    expect(nested).toEqual([
      { v: '1', day: '02-01-2026' },
      { v: 'x', day: null },
    ]);
  });

  it('compare mixed values as plain text', async () => {
    const [lines = ''] = forms(['12', '"timeout"', '12.5']);
    expect((await load(lines, { sql: "SELECT v FROM t1 WHERE v = 'timeout'" })).rows).toEqual([
      { v: 'timeout' },
    ]);
  });

  it.each([
    ['0.6', 'DOUBLE'],
    ['"007"', 'VARCHAR'],
    ['"x"', 'VARCHAR'],
  ])('have the type of the whole file, with %s in row 20,501', async (last, type) => {
    for (const text of forms([...Array(20_500).fill('7'), last])) {
      const { types, rows } = await load(text, { sql: 'SELECT v::VARCHAR AS v FROM t1' });
      expect(types).toEqual({ v: type });
      expect(rows.at(-1)).toEqual({ v: last.replaceAll('"', '') });
    }
  });

  it('have late fields', async () => {
    const text = `${'{"a":1}\n'.repeat(20_500)}{"a":1,"late":"x","deep":{"b":1}}\n`;
    const { names, rows } = await load(text);
    expect(names).toEqual(['a', 'late', 'deep']);
    expect(rows.at(-1)).toEqual({ a: 1, late: 'x', deep: { b: 1 } });
  });

  it.each([
    ['{"a":1,"A":2}', [{ a: 1, A_1: 2 }]],
    ['{\n "a": 1\n}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
    ['[1,2]', [{ json: 1 }, { json: 2 }]],
    ['[1,"x",{"a":1}]', [{ json: '1' }, { json: 'x' }, { json: '{"a":1}' }]],
    ['["a",1]\n["b",2]\n', [{ json: ['a', '1'] }, { json: ['b', '2'] }]],
    ['[]', []],
    ['[null,{"a":1}]', [{ a: null }, { a: 1 }]],
    ['{"__proto__":1,"a \\"b\\"":"\\u00e4\\ud83d\\ude00"}', [{ ['__proto__']: 1, 'a "b"': 'ä😀' }]],
  ])('read %j', async (text, rows) => {
    expect((await load(text)).rows).toEqual(rows);
  });

  it.each([
    ['', 'file.json: the file is empty'],
    [' \n', 'the file is empty'],
    ['{"a":1}\n{"a":}\n', 'line 2 is not valid JSON'],
    ['[{"a":1},\n{"a":1]', 'line 2 is not valid JSON'],
    ['[{"a":1}\n', 'line 2 is not valid JSON'],
    ['{"a":01}', 'line 1 is not valid JSON'],
    ['{"a":"x\ny"}', 'line 1 is not valid JSON'],
    ['{"a":1},{"a":2}', 'line 1 is not valid JSON'],
    [`${'['.repeat(2000)}`, 'nested more than 1000 times'],
  ])('are refused with the line: %j', async (text, message) => {
    await expect(load(text, { format: 'json' })).rejects.toThrow(message);
  });

  it('are refused if they are not UTF-8, unless the caller names the encoding', async () => {
    const bytes = Buffer.from('[\n{"a":"Köln"}]', 'latin1');
    await expect(load(bytes)).rejects.toThrow(
      'file.json: line 2 is not valid UTF-8, at byte 10 of the file.',
    );
    expect((await load(bytes, { encoding: 'latin1' })).rows).toEqual([{ a: 'Köln' }]);
  });

  it.each([
    ['x.txt', '{"a": 1}\n{"a": 2}\n', 'json'],
    ['x.txt', '[2026-01-01] start\n', 'csv'],
    ['x.csv', '{"a": 1}\n', 'csv'],
    ['x.jsonl', '{"a": 1}\n', 'json'],
    ['x', '\uFEFF [{"a": 1}]', 'json'],
    ['x', 'a,b\n1,2\n', 'csv'],
  ])('differ from a CSV: %s %j', async (filename, text, format) => {
    expect((await loadText(text, { filename })).dialect.format).toBe(format);
  });
});
