import { describe, expect, it } from 'vitest';
import { loadText } from './testing/load-text';

describe('long values and files of several blocks', () => {
  it('are read whole', async () => {
    const long = 'x'.repeat(3_000_000);
    const { rows } = await loadText(`a,b\n"${long}",1\n2,3\n`, { sql: 'SELECT length(a) AS n, b FROM t1' });
    expect(rows).toEqual([
      { n: 3_000_000, b: 1 },
      { n: 1, b: 3 },
    ]);
    const lines = Array.from({ length: 300_000 }, (_, at) => `${at},"v ""${at}"""`);
    for (const ragged of ['', 'x\n'])
      expect(
        (
          await loadText(`n,t\n${ragged}${lines.join('\n')}`, {
            sql: 'SELECT count(*) AS n, max(t) AS t FROM t1',
          })
        ).rows,
      ).toEqual([{ n: lines.length + (ragged ? 1 : 0), t: 'v "99999"' }]);
  });

  it('are refused if a quote is open for more than 16 MiB', async () => {
    await expect(loadText(`a,b\n"${'x'.repeat(17 * 1024 * 1024)}`)).rejects.toThrow(/line 2 /);
  });

  it('are refused if there are very many short rows in a wide table', async () => {
    const names = Array.from({ length: 500 }, (_, at) => `c${at}`).join(',');
    await expect(loadText(`${names}\n${'x\n'.repeat(1_000_000)}`)).rejects.toThrow('the table is too large');
  });

  it('are read whole as JSON', async () => {
    const lines = Array.from(
      { length: 150_000 },
      (_, at) => `{"n":${at},"t":"ä \\"${at}\\"","w":${2n ** 70n + BigInt(at)}}`,
    );
    const sql = 'SELECT count(*) AS n, max(w) AS w, max(t) AS t FROM t1';
    const expected = [{ n: 150_000, w: String(2n ** 70n + 149_999n), t: 'ä "99999"' }];
    expect((await loadText(lines.join('\n'), { sql, format: 'json' })).rows).toEqual(expected);
    expect((await loadText(`[${lines.join(',')}]`, { sql, format: 'json' })).rows).toEqual(expected);
  });
});
