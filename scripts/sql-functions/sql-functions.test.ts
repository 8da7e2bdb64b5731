import { describe, expect, it } from 'vitest';
import { findStale, readDefinitions, sortByCalls } from './read-functions.mjs';

const body = 'RETURNS int LANGUAGE plpgsql AS $$\nBEGIN\n  RETURN 1; -- one\nEND $$';

describe('the definitions in SQL', () => {
  it('are read with bodies that contain semicolons, and without the comment before them', () => {
    const text = `-- why\nCREATE FUNCTION one(p int) ${body};--> statement-breakpoint\nCREATE TABLE t (a int);`;
    expect(readDefinitions(text)).toEqual([
      { name: 'one', statement: `CREATE OR REPLACE FUNCTION one(p int) ${body}` },
    ]);
  });

  it('are read with comments of parameters that contain semicolons', () => {
    const text = `CREATE FUNCTION one(\n  p int[], -- ids; null: none\n  q int\n) ${body};`;
    const [definition] = readDefinitions(text);
    expect(definition?.statement).toContain('END $$');
  });

  it('are read where the body is an expression, and where a function is dropped', () => {
    const text = 'CREATE FUNCTION two() RETURNS int RETURN 2;\nDROP FUNCTION IF EXISTS three(int);';
    expect(readDefinitions(text)).toEqual([
      { name: 'two', statement: 'CREATE OR REPLACE FUNCTION two() RETURNS int RETURN 2' },
      { name: 'three', statement: null },
    ]);
  });
});

describe('a source', () => {
  const statement = `CREATE OR REPLACE FUNCTION one() ${body}`;
  const sources = new Map([['one', { text: statement, statement }]]);

  it('is stale where the newest migration has another definition, or none', () => {
    const migrated = new Map([['one', { tag: '0001', statement: statement.replace('1;', '2;') }]]);
    expect(findStale(sources, migrated)).toEqual(['one']);
    expect(findStale(sources, new Map())).toEqual(['one']);
  });

  it('is current where they are the same', () => {
    expect(findStale(sources, new Map([['one', { tag: '0001', statement }]]))).toEqual([]);
  });
});

it('a changed function is written after those it calls', () => {
  const source = (text: string) => ({ text, statement: text });
  const sources = new Map([
    ['a', source('SELECT b() + c()')],
    ['b', source('SELECT c()')],
    ['c', source('SELECT 1')],
  ]);
  expect(sortByCalls(['a', 'b', 'c'], sources)).toEqual(['c', 'b', 'a']);
});
