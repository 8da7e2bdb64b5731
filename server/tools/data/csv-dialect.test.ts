import { describe, expect, it } from 'vitest';
import { loadText } from './testing/load-text';

describe('the dialect of a CSV', () => {
  it('comes from the first line', async () => {
    const notes = await loadText('note\nbuy milk\neggs;bread\n');
    expect(notes).toMatchObject({
      rows: [{ note: 'buy milk' }, { note: 'eggs;bread' }],
      dialect: { delimiter: null, header: true },
    });
    const quoted = await loadText("name,quote\n'tis,x\nab',y\n");
    expect(quoted.rows).toEqual([
      { name: "'tis", quote: 'x' },
      { name: "ab'", quote: 'y' },
    ]);
  });

  it.each([
    ['a;b\n1,5;2,5\n', ';'],
    ['3,94;2,10\n', ';'],
    ['a\tb,c\n1\t2\n', '\t'],
    ['a|b|c\n1|2|3\n', '|'],
    ['"a,b,c";d\n1;2\n', ';'],
    ['"a,""b"",c";d\n1;2\n', ';'],
    ['5" disk;a,"b"\n1;2\n', ';'],
    ['"a;\nb;c",d,e\n1,2,3\n', ','],
    ['1,2,3\n', ','],
    ['\n\na,b\n1,2\n', ','],
    ['name;price, EUR\na;1\n', ';'],
    ['word\nx\n', null],
  ])('%j has the delimiter %j', async (text, delimiter) => {
    expect((await loadText(text)).dialect.delimiter).toBe(delimiter);
  });

  it('is not a comma if commas are decimal, unless there is no other', async () => {
    for (const [text, delimiter] of [
      ['a, b;c\n1,5;2\n', ';'],
      ['a,b\n"1,5",2\n', ','],
      ['1,5\n2,5\n', null],
    ] as const)
      expect((await loadText(text, { decimal: ',' })).dialect.delimiter).toBe(delimiter);
  });

  it('of a .tsv file is the tab', async () => {
    const { names } = await loadText('a, b, c\td\n1\t2\n', { filename: 'x.tsv' });
    expect(names).toEqual(['a, b, c', 'd']);
  });

  it('has the quote that the caller names', async () => {
    expect((await loadText("a,b\n'x,y',2\n", { quote: "'" })).rows).toEqual([{ a: 'x,y', b: 2 }]);
    expect((await loadText('a,b\n"x,2\n', { quote: '' })).rows).toEqual([{ a: '"x', b: 2 }]);
  });

  it('has quotes in quoted values as the caller names them', async () => {
    const text = 'a,b\n"say \\"hi\\", he said",1\n"{\\"a\\":\\"x\\\\ny\\"}",2\n"C:\\temp ""x""",3\n\\,4\n';
    const { rows, dialect } = await loadText(text, { escape: '\\' });
    expect(rows.map(({ a }) => a)).toEqual(['say "hi", he said', '{"a":"x\\ny"}', 'C:\\temp "x"', '\\']);
    expect(dialect.escape).toBe('\\');
    await expect(loadText(text)).rejects.toThrow(
      'line 2 has text after a closing quote. Pass escape: "\\\\" if',
    );
  });

  it('keeps quotes within values, spaces, line breaks and every kind of line end', async () => {
    const rows = [
      { a: '5" disk', b: ' x ' },
      { a: 'two\nlines', b: 'say "hi"' },
    ];
    for (const end of ['\n', '\r\n', '\r'])
      expect(
        (await loadText(['a,b', '5" disk, x ', '"two\nlines","say ""hi"""', ''].join(end))).rows,
      ).toEqual(rows);
    expect((await loadText('a,b\r\n1,2\n3,4\r5,6')).rows).toHaveLength(3);
    expect((await loadText('a,b\n1, "x"\n')).rows).toEqual([{ a: 1, b: ' "x"' }]);
    expect((await loadText('a,b\nx\0y,\\"\n')).rows).toEqual([{ a: 'x\0y', b: '\\"' }]);
  });

  it('reads the sep= line of Excel, and skips lines in front if asked', async () => {
    const excel = await loadText('sep=;\na;b\n1;2\n');
    expect(excel).toMatchObject({ rows: [{ a: 1, b: 2 }], dialect: { delimiter: ';', skipped_lines: 1 } });
    const titled = await loadText('Sales, 2026\n\nid,name\n1,Ada\n', { skip_lines: 2 });
    expect(titled).toMatchObject({ rows: [{ id: 1, name: 'Ada' }], dialect: { skipped_lines: 2 } });
    await expect(loadText('Sales\nid,name\n1,Ada\n', { delimiter: ',' })).rejects.toThrow(
      'file.csv: line 2 has 2 values, but the first line of the table has 1.',
    );
    await expect(loadText('a\n', { skip_lines: 5 })).rejects.toThrow('the file is empty');
  });
});

describe('rows of another length', () => {
  const HEAD = 'id,name,v\n1,Ada,2\n';

  it('are filled with null if they are shorter, and the lines are named', async () => {
    const { rows, dialect, types } = await loadText(`${HEAD}2,Bob\n3,Cy,4\nTotal\n`);
    expect(types).toEqual({ id: 'VARCHAR', name: 'VARCHAR', v: 'BIGINT' });
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['1', 'Ada', 2],
      ['2', 'Bob', null],
      ['3', 'Cy', 4],
      ['Total', null, null],
    ]);
    expect(dialect.filled_rows).toBe(2);
    expect(dialect.notes.join()).toContain('line 3, 5');
  });

  it('are refused with their line if they have more values', async () => {
    await expect(loadText(`${HEAD}2,Grace,1,extra\n`)).rejects.toThrow('file.csv: line 3 has 4 values');
    const broken = loadText(`id,name,v\n"1","two\nlines",3\n2,"a, b",c,d\n`);
    await expect(broken).rejects.toThrow('line 4 has 4 values');
  });

  it('may end with delimiters only', async () => {
    const extra = await loadText(`${HEAD}2,Bob,3,,\n`);
    expect(extra.rows.at(-1)).toEqual({ id: 2, name: 'Bob', v: 3 });
    for (const end of ['', ',']) {
      const { names, rows, dialect } = await loadText(`id,name,v,\n1,Ada,2${end}\n`);
      expect(names).toEqual(['id', 'name', 'v']);
      expect(rows).toEqual([{ id: 1, name: 'Ada', v: 2 }]);
      expect(dialect).toMatchObject({ filled_rows: 0, header: true });
    }
    expect((await loadText('id,name,\n1,Ada,2\n')).names).toEqual(['id', 'name', 'column2']);
  });

  it('that are empty lines are skipped, except in one column', async () => {
    const two = await loadText('a,b\n\n1,2\n\n\n3,4\n\n');
    expect(two).toMatchObject({ rows: [{ a: 1 }, { a: 3 }], dialect: { skipped_lines: 4 } });
    const one = await loadText('a\nx\n\ny\n""\n\n\n');
    expect(one.rows).toEqual([{ a: 'x' }, { a: null }, { a: 'y' }, { a: null }]);
  });
});

describe('the header of a CSV', () => {
  it.each([
    ['name,city\nAda,Köln\n', true],
    ['id,2020,2021\nDE,1.5,2.5\n', true],
    ['a,b\n', true],
    ['Ada,1990\nBob,1985\n', false],
    ['Ada,1990,2010\nBob,1985,2011\n', false],
    ['1,2\n3,4\n', false],
    ['2026-01-02,x\n', false],
    ['https://a.example/\nhttps://b.example/\n', false],
    ['a@b.example\nc@d.example\n', false],
    ['true,x\nfalse,y\n', false],
    [',\n1,2\n', false],
  ])('of %j is assumed: %j', async (text, header) => {
    const { dialect, rows } = await loadText(text);
    expect(dialect.header).toBe(header);
    expect(rows).toHaveLength(text.trim().split('\n').length - Number(header));
    expect(dialect.notes.join()).toMatch(header ? /pass header: false/ : /pass header: true/);
  });

  it('is what the caller says', async () => {
    expect(await loadText('a,b\n1,2\n', { header: false })).toMatchObject({
      names: ['column0', 'column1'],
      rows: [{ column0: 'a' }, { column0: '1' }],
    });
    expect(await loadText('1,2\n3,4\n', { header: true })).toMatchObject({ names: ['1', '2'], rows: [{}] });
  });

  it('gives each column a name of its own', async () => {
    const { names, rows } = await loadText('a,A,, b ,"x ""y"""\n1,2,3,4,5\n');
    expect(names).toEqual(['a', 'A_1', 'column2', 'b', 'x "y"']);
    expect(Object.values(rows[0] ?? {})).toEqual([1, 2, 3, 4, 5]);
    expect((await loadText('"a\nb",c\n1,2\n')).names).toEqual(['a\nb', 'c']);
  });
});

describe('a CSV that cannot be read', () => {
  it.each([
    ['', 'file.csv: the file is empty'],
    ['\n\n', 'the file is empty'],
    ['a,b\n1,"x\n2,y\n', 'line 2 has a quoted value that is not closed'],
    ['a,b\n1,2\n3,"x"y\n', 'line 3 has text after a closing quote'],
  ])('is refused with its line: %j', async (text, message) => {
    await expect(loadText(text)).rejects.toThrow(message);
  });

  it.each([
    [{ delimiter: '§' }, 'delimiter: "§" cannot be used. Pass an ASCII character.'],
    [{ delimiter: '\n' }, 'delimiter: "\\n" cannot be used'],
    [{ quote: '“' }, 'quote: "“" cannot be used'],
    [{ delimiter: '"' }, 'delimiter, quote: must differ'],
    [{ delimiter: '|', escape: '|' }, 'delimiter, escape: must differ'],
    [{ escape: '§' }, 'escape: "§" cannot be used'],
    [{ thousands: '.' }, 'decimal, thousands: must differ'],
  ])('is refused for signs that cannot work: %j', async (options: object, message) => {
    await expect(loadText('a§b\n', options)).rejects.toThrow(message);
  });
});
