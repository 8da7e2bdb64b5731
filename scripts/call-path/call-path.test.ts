import { expect, it } from 'vitest';
import { findFunctionProblems, findPathProblems, readPath } from './check-path.mjs';

const WIRING = /^server\/main\//;

it('reads the files of the table, in the folder of the file before a bare name', () => {
  const markdown = [
    '`api/none.ts`',
    '## The path of a call',
    'Not `api/here.ts`.',
    '| 1. Admit | `calls/admit.ts` (`admitCall`), `store.ts`, `db/functions/admit_calls.sql` |',
    '## Money',
    '| `money/none.ts` |',
  ].join('\n');
  expect(readPath(markdown)).toEqual([
    'server/calls/admit.ts',
    'server/calls/store.ts',
    'db/functions/admit_calls.sql',
  ]);
});

it('refuses a file that is missing, and one that no file before it leads to', () => {
  const sources = new Map([
    ['server/a.ts', "import type { B } from './b';"],
    ['server/b.ts', 'sql`select * from end_calls(1)`'],
    ['server/c.ts', ''],
    ['server/main/wire.ts', "import { C } from '../c';"],
    ['db/functions/end_calls.sql', ''],
    ['db/functions/cancel_job.sql', ''],
  ]);
  const path = ['server/a.ts', 'server/b.ts', 'server/c.ts', 'db/functions/end_calls.sql'];
  expect(findPathProblems(path, sources, WIRING)).toEqual([]);
  expect(findPathProblems(['server/b.ts', 'server/a.ts'], sources, WIRING)).toEqual([
    'no file before server/a.ts imports it',
  ]);
  expect(findPathProblems([...path, 'db/functions/cancel_job.sql', 'server/d.ts'], sources, WIRING)).toEqual([
    'no file before db/functions/cancel_job.sql imports it',
    'server/d.ts does not exist',
  ]);
});

it('refuses another SQL function that admits or ends calls, and one with many parameters', () => {
  const allowed = { names: ['end_calls', 'reap_calls', 'admit_calls'], maxParameters: 1 };
  const functions = new Map([
    ['end_calls', '(p_calls json -- not p_more\n) RETURNS void AS $$ DELETE FROM calls $$'],
    ['reap_calls', '(p_limit int, p_line text) RETURNS void AS $$ SELECT end_calls(p_limit) $$'],
    ['close_calls', '(p_ids text[]) RETURNS void AS $$ DELETE FROM calls $$'],
    ['read_calls', '(a int, p_b int, p_c int) RETURNS int AS $$ SELECT 1 FROM calls $$'],
  ]);
  expect(findFunctionProblems(functions, allowed)).toEqual([
    'reap_calls has 2 parameters, at most 1',
    'close_calls admits or ends calls, which only end_calls, reap_calls, admit_calls do',
    'admit_calls neither admits nor ends calls',
  ]);
});
