import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortenTimers } from '@/test/support/control-timers';
import { createTestFiles, type TestFiles } from '@/test/support/test-files';
import { runSkill } from '../sdk/skill-harness';
import { tool } from './index';
import { queryInSharedWorker } from './testing/query-in-shared-worker';

let files: TestFiles;
beforeAll(async () => {
  files = await createTestFiles();
});
afterAll(async () => {
  await files.remove();
});

const run = (skill: string, input: unknown) => runSkill(tool, skill, input, { files });
const sales = { file: 'asset_sample_sales' };
const add = (filename: string, text: string) => files.add(filename, Buffer.from(text));

describe('data.query', () => {
  it('joins files of different formats under their names', async () => {
    const people = await add('people.csv', 'id;name\n1;Ada\n2;Bob\n');
    const orders = await add('orders.jsonl', '{"who":1,"sum":2.5}\n{"who":1,"sum":4}\n{"who":2,"sum":1}\n');
    const { output } = await run('query', {
      files: [{ file: people, name: 'people' }, { file: orders }],
      sql: 'SELECT name, sum(sum) AS total FROM people JOIN t2 ON who = id GROUP BY name ORDER BY name',
    });
    expect(output).toMatchObject({
      columns: [
        { name: 'name', type: 'VARCHAR' },
        { name: 'total', type: 'DOUBLE' },
      ],
      rows: [
        { name: 'Ada', total: 6.5 },
        { name: 'Bob', total: 1 },
      ],
      row_count: 2,
      truncated: false,
      total_rows: 2,
      file: null,
    });
  });

  it('returns values as JSON, and long numbers as text', async () => {
    const { output } = await run('query', {
      files: [sales],
      sql: `SELECT 1::BIGINT a, 9007199254740993::BIGINT b, 1.25::DECIMAL(10,2) c, DATE '2026-01-02' d, [1::BIGINT] e,
        {'x': 1::HUGEINT} f, NULL g, 'nan'::DOUBLE h, '\\xFF'::BLOB i, TIMESTAMPTZ '2026-01-02 03:04:05+00' j, 1 a`,
    });
    expect(output.rows[0]).toEqual({
      a: 1,
      b: '9007199254740993',
      c: 1.25,
      d: '2026-01-02',
      e: [1],
      f: { x: 1 },
      g: null,
      h: 'NaN',
      i: '/w==',
      j: '2026-01-02 03:04:05+00',
      a_1: 1,
    });
  });

  it('returns how each file was read if asked', async () => {
    const file = await add('x.csv', 'a;b\n1;2,5\n');
    const sql = 'SELECT * FROM t1, sales LIMIT 1';
    const request = {
      files: [
        { file, decimal: ',' },
        { ...sales, name: 'sales' },
      ],
      sql,
    };
    expect((await run('query', request)).output).not.toHaveProperty('dialects');
    const { output } = await run('query', { ...request, show_dialect: true });
    expect(output.dialects).toMatchObject([
      { table: 't1', format: 'csv', encoding: 'utf-8', delimiter: ';', decimal: ',', header: true },
      { table: 'sales', delimiter: ',', skipped_lines: 0, filled_rows: 0 },
    ]);
    expect(output.rows[0]).toMatchObject({ a: 1, b: 2.5 });
  });

  it('returns rows up to the limit, and reports that there are more', async () => {
    const { output } = await run('query', { files: [sales], sql: 'SELECT * FROM t1', limit: 10 });
    expect(output).toMatchObject({ row_count: 10, truncated: true, total_rows: null });
    const whole = await run('query', { files: [sales], sql: 'FROM t1;', limit: 144 });
    expect(whole.output).toMatchObject({ row_count: 144, truncated: false, total_rows: 144 });
  });

  it.each(['csv', 'json', 'jsonl', 'parquet'])(
    'saves the whole result as %s, which can be queried again',
    async (format) => {
      const { output } = await run('query', {
        files: [sales],
        sql: "SELECT range AS n, 'a,\"b' AS text, DATE '2026-01-01' AS day, [1, 2] AS list FROM range(5000)",
        limit: 1,
        save_as: format,
      });
      expect(output).toMatchObject({ row_count: 1, truncated: true, total_rows: 5000 });
      expect(output.file.filename).toBe(`result.${format}`);
      const again = await queryInSharedWorker(
        files,
        'SELECT count(*) AS rows, sum(n) AS n, min(text) AS text, max(day)::VARCHAR AS day FROM t1',
        { file: output.file.asset_id },
      );
      expect(again.rows).toEqual([{ rows: 5000, n: 12497500, text: 'a,"b', day: '2026-01-01' }]);
    },
  );

  it.each([
    ['SELEC 1', /sql: Parser Error: syntax error at or near "SELEC"/],
    ['SELECT nothing FROM t1', /sql: Binder Error: Referenced column "nothing" not found/],
    ['SELECT 1; SELECT 2', /sql: contains 2 statements/],
  ])('reports why %j fails', async (sql, message) => {
    await expect(queryInSharedWorker(files, sql)).rejects.toThrow(message);
  });

  it('requires SQL', async () => {
    await expect(run('query', { files: [sales], sql: '' })).rejects.toThrow(/sql|small/i);
  });

  it('keeps columns named like inherited object properties', async () => {
    const file = await add('odd.csv', '__proto__,constructor\n1,2\n');
    const queried = await run('query', { files: [{ file }], sql: 'SELECT * FROM t1' });
    expect(Object.entries(queried.output.rows[0])).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
    ]);
    const { output } = await run('profile', { file });
    expect(Object.keys(output.samples[0])).toEqual(['__proto__', 'constructor']);
    const schema = { type: 'object', minProperties: 3 };
    const checked = await run('validate', { schema: { ...schema, required: ['__proto__'] }, file });
    expect(checked.output.errors).toMatchObject([{ keyword: 'minProperties' }]);
  });

  it.each([
    "SELECT error(string_agg(product, ' ')) FROM t1, range(100)",
    "SELECT string_agg(product, ' ')::INTEGER FROM t1, range(100)",
    "SELECT strptime(string_agg(product, ' '), '%Y') FROM t1, range(100)",
  ])('outputs little of the data of a failed query, which is free: %s @F7', async (sql) => {
    const error: Error = await queryInSharedWorker(files, sql).then(
      () => new Error('It did not fail'),
      (thrown) => thrown,
    );
    expect(error.message).toMatch(/^sql: \w+.* Error: /);
    expect(error.message.length).toBeLessThanOrEqual(310);
  });

  it('names a file that cannot be read, without its path', async () => {
    const file = await add('broken.parquet', 'PAR1 but no more');
    const failed = run('query', { files: [{ file }], sql: 'SELECT 1' });
    await expect(failed).rejects.toThrow(/^broken\.parquet: the file cannot be read as parquet/);
    await expect(failed).rejects.not.toThrow(/\/tmp|skill-files/);
    const twice = run('query', {
      files: [
        { ...sales, name: 'A' },
        { ...sales, name: 'a' },
      ],
      sql: 'SELECT 1',
    });
    await expect(twice).rejects.toThrow(/same name/);
  });
});

describe('data.profile', () => {
  it('returns types, missing values, bounds, quartiles and frequent values', async () => {
    const file = await add('p.csv', 'n,who,day\n1,a,2026-01-01\n2,b,2026-01-02\n3,a,\n4,,2026-01-04\n');
    const { output } = await run('profile', { file, top_values: 1 });
    expect(output).toMatchObject({ filename: 'p.csv', rows: 4, column_count: 3 });
    expect(output.columns).toMatchObject([
      { name: 'n', type: 'BIGINT', nulls: 0, min: 1, max: 4, mean: 2.5, median: 2.5, q25: 1.75, q75: 3.25 },
      { name: 'who', type: 'VARCHAR', nulls: 1, min: 'a', max: 'b', top_values: [{ value: 'a', count: 2 }] },
      { name: 'day', type: 'DATE', nulls: 1, min: '2026-01-01', max: '2026-01-04' },
    ]);
    expect(output.samples[0]).toEqual({ n: 1, who: 'a', day: '2026-01-01' });
    expect(output.dialect).toMatchObject({ format: 'csv', encoding: 'utf-8', delimiter: ',', quote: '"' });
  });

  it('handles nested values, infinities and an empty table', async () => {
    const nested = await add('n.json', '[{"a":{"b":1},"c":[1,2]},{"a":null,"c":[]}]');
    const { output } = await run('profile', { file: nested });
    expect(output.columns).toMatchObject([
      { name: 'a', nulls: 1, top_values: [] },
      { name: 'c', nulls: 0 },
    ]);
    const endless = await add('i.csv', 'x,huge\ninf,1e308\n1,1e308\n');
    expect((await run('profile', { file: endless })).output.rows).toBe(2);
    const empty = await add('e.csv', 'a,b\n');
    expect((await run('profile', { file: empty, header: true })).output).toMatchObject({
      rows: 0,
      column_count: 2,
    });
  });
});

describe('data.convert', () => {
  it('converts a CSV to JSON, with the types', async () => {
    const file = await add('list.csv', 'id,name,ok\n1,"Ada, Countess",true\n2,Bob,\n');
    const { output } = await run('convert', { file, to: 'json' });
    expect(output).toMatchObject({
      rows: 2,
      file: { filename: 'list.json', content_type: 'application/json' },
    });
    expect(JSON.parse((await files.readBytes(output.file.asset_id)).toString())).toEqual([
      { id: 1, name: 'Ada, Countess', ok: true },
      { id: 2, name: 'Bob', ok: null },
    ]);
  });

  it('converts JSON Lines to a CSV with the requested delimiter', async () => {
    const file = await add('list.ndjson', '{"a":"x;y","b":1}\n{"a":"z","b":2}\n');
    const { output } = await run('convert', { file, to: 'csv', to_delimiter: ';' });
    expect((await files.readBytes(output.file.asset_id)).toString()).toBe('a;b\n"x;y";1\nz;2\n');
  });

  it('converts to Parquet and back without changes', async () => {
    const parquet = await run('convert', { ...sales, to: 'parquet' });
    expect((await files.readBytes(parquet.output.file.asset_id)).subarray(0, 4).toString()).toBe('PAR1');
    const csv = await run('convert', { file: parquet.output.file.asset_id, to: 'csv' });
    const bytes = await files.readBytes(csv.output.file.asset_id);
    // Except for trailing zeros of decimals.
    const original = `${await files.readBytes('asset_sample_sales')}`
      .replace(/(\.\d*?)0+$/gm, '$1')
      .replace(/\.$/gm, '.0');
    expect(`${bytes}`).toBe(original);
  });

  it.each(['csv', 'json', 'jsonl', 'parquet'])('keeps all digits of numbers as %s', async (to) => {
    const numbers = 'id,wide,exact,n\n9007199254740993,92055901755477000012,12345678901234567.89,1\n';
    const { output } = await run('convert', { file: await add('numbers.csv', numbers), to });
    const again = await queryInSharedWorker(files, 'FROM t1', { file: output.file.asset_id });
    expect(again.rows).toEqual([
      { id: '9007199254740993', wide: '92055901755477000012', exact: '12345678901234567.89', n: 1 },
    ]);
  });

  it('writes nested values as JSON into a CSV', async () => {
    const file = await add(
      'nested.json',
      '[{"place":{"city":"Köln","zip":["50667"]},"tags":["a","b,c"],"n":1}]',
    );
    const { output } = await run('convert', { file, to: 'csv' });
    expect(`${await files.readBytes(output.file.asset_id)}`).toBe(
      'place,tags,n\n"{""city"":""Köln"",""zip"":[""50667""]}","[""a"",""b,c""]",1\n',
    );
  });

  it('cannot be made to run SQL through a delimiter', async () => {
    const { output } = await run('convert', { ...sales, to: 'csv', to_delimiter: "'" });
    expect((await files.readBytes(output.file.asset_id)).toString()).toMatch(/^date'region'product/);
  });
});

describe('data.validate', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['email'],
    properties: { email: { type: 'string', format: 'email' }, n: { $ref: '#/$defs/positive' } },
    additionalProperties: false,
    $defs: { positive: { type: 'integer', minimum: 1 } },
  };

  it('returns whether a value is valid, and where it is not', async () => {
    const good = await run('validate', { schema, data: { email: 'a@b.example', n: 1 } });
    expect(good.output).toEqual({ valid: true, checked: 1, invalid: 0, errors: [] });
    const bad = await run('validate', { schema, data: { email: 'x', n: 0, more: 1 } });
    expect(bad.output).toMatchObject({ valid: false, checked: 1, invalid: 1 });
    const places = bad.output.errors.map(
      ({ path, keyword }: { path: string; keyword: string }) => `${path} ${keyword}`,
    );
    expect(places.sort()).toEqual([' additionalProperties', '/email format', '/n minimum']);
  });

  it('checks rows of a CSV, lines of JSON Lines and items of a list separately, with bounded errors', async () => {
    const rows = { type: 'object', properties: { n: { type: 'integer', maximum: 3 } } };
    const csv = await add('v.csv', `n\n${Array.from({ length: 50 }, (_, at) => at).join('\n')}\n`);
    const { output } = await run('validate', { schema: rows, file: csv, max_errors: 5 });
    expect(output).toMatchObject({ valid: false, checked: 50, invalid: 46 });
    expect(output.errors.map(({ row }: { row: number }) => row)).toEqual([5, 6, 7, 8, 9]);
    const lines = await add('v.jsonl', '{"n":1}\n{"n":9}\n');
    expect((await run('validate', { schema: rows, file: lines })).output).toMatchObject({
      checked: 2,
      invalid: 1,
    });
    const list = { schema: rows, data: [{ n: 9 }, { n: 1 }], each_item: true };
    expect((await run('validate', list)).output).toMatchObject({
      checked: 2,
      invalid: 1,
      errors: [{ row: 1 }],
    });
    const parquet = await run('convert', { file: csv, to: 'parquet' });
    const packed = { schema: rows, file: parquet.output.file.asset_id };
    expect((await run('validate', packed)).output.invalid).toBe(46);
  });

  it('reads files like the other skills, and states how', async () => {
    const each = { type: 'object', properties: { id: { type: 'integer' }, city: { const: 'Köln' } } };
    const bytes = (text: string) => files.add('x.csv', Buffer.from(text, 'latin1'));
    const ids = '9007199254740993;Köln\n92055901755477000012;Köln\n';
    const csv = await run('validate', { schema: each, file: await bytes(`id;city\n${ids}`) });
    expect(csv.output).toMatchObject({
      valid: true,
      checked: 2,
      dialect: { encoding: 'windows-1252', delimiter: ';' },
    });
    const file = await files.add('x.json', Buffer.from('[\n{"city":"Köln"}]', 'latin1'));
    const wrong = run('validate', { schema: each, file, each_item: true });
    await expect(wrong).rejects.toThrow('x.json: line 2 is not valid UTF-8, at byte 13 of the file.');
    const named = { schema: each, file, each_item: true, encoding: 'latin1' };
    expect((await run('validate', named)).output.valid).toBe(true);
    const marked = await files.add('x.json', Buffer.from('\uFEFF{"city":"Köln"}', 'utf16le'));
    expect((await run('validate', { schema: each, file: marked })).output).toMatchObject({
      valid: true,
      dialect: { format: 'json', encoding: 'utf-16le' },
    });
    const gap = await add('gap.jsonl', '{"id":1}\n\n{"id":}\n');
    await expect(run('validate', { schema: each, file: gap })).rejects.toThrow(
      'file: line 3 is not valid JSON.',
    );
  });

  it('uses draft 07 if the schema names it', async () => {
    const old = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] };
    expect((await run('validate', { schema: old, data: [1] })).output.valid).toBe(false);
  });

  it.each([
    [{ $ref: 'https://example.com/schema.json' }, /schema: can't resolve reference https:\/\/example\.com/],
    [{ type: 'nonsense' }, /schema: .*type/],
    [{ pattern: '(' }, /schema: /],
  ])('refuses the schema %j', async (bad, message) => {
    await expect(run('validate', { schema: bad, data: 1 })).rejects.toThrow(message);
  });

  it('explains references only if one is wrong', async () => {
    const hint = 'A $ref can only point to a place within this schema.';
    const wrong = run('validate', { schema: { $ref: '#/$defs/none' }, data: 1 });
    await expect(wrong).rejects.toThrow(hint);
    await expect(run('validate', { schema: { type: 'odd' }, data: 1 })).rejects.not.toThrow(hint);
  });

  it.each([
    [{ $async: true, type: 'number' }, '/$async'],
    [{ $async: 'yes', type: 'number' }, '/$async'],
    [{ properties: { a: { $async: true, type: 'number' } } }, '/properties/a/$async'],
    [{ $ref: '#/$defs/a', $defs: { a: { $async: true, type: 'number' } } }, '/$defs/a/$async'],
    [{ $defs: { unused: { allOf: [{}, { $async: true }] } } }, '/$defs/unused/allOf/1/$async'],
    [{ properties: { $async: { items: { $async: true } } } }, '/properties/$async/items/$async'],
    [{ $ref: '#/a~1b', 'a/b': { not: { $async: 1 } } }, '/a~1b/not/$async'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', items: [{ $async: true }] }, '/items/0/$async'],
  ])('refuses a schema that is asynchronous at any level, and names the place: %j', async (schema, path) => {
    await expect(run('validate', { schema, data: 'x' })).rejects.toThrow(`schema: ${path} is not available`);
  });

  it('accepts $async as the name of a property, as a value and as false', async () => {
    const schema = {
      $async: false,
      properties: { $async: { type: 'boolean' } },
      not: { const: { $async: true, other: 1 } },
      default: { $async: true },
    };
    const { output } = await run('validate', { schema, data: { $async: 'x' } });
    expect(output).toMatchObject({ valid: false, invalid: 1, errors: [{ path: '/$async' }] });
  });

  it.each([{ $ref: '#' }, { allOf: [{ $ref: '#' }] }])(
    'refuses %j, which references itself without end',
    async (schema) => {
      await expect(run('validate', { schema, data: 1 })).rejects.toThrow(/^schema: /);
    },
  );

  it('ends a pattern that backtracks without end', async () => {
    shortenTimers(10_000);
    const slow = run('validate', { schema: { pattern: '^(a+)+$' }, data: `${'a'.repeat(60)}!` });
    await expect(slow).rejects.toThrow(/more than 10 s of computing/);
  });

  it('requires exactly one of data and file', async () => {
    await expect(run('validate', { schema: {} })).rejects.toThrow(/pass exactly one/);
    await expect(run('validate', { schema: {}, data: 1, ...sales })).rejects.toThrow(/pass exactly one/);
    const broken = await add('b.json', '{"a":1}\nno json\n');
    await expect(run('validate', { schema: {}, file: broken, format: 'json' })).rejects.toThrow(/line 2/);
  });
});
