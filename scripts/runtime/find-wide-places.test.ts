import { expect, it } from 'vitest';
import { findWidePlaces } from './find-wide-places.mjs';

it.each<[string, string, string[]]>([
  ['a pattern', 'function f({ db, ports: { vault } }: Runtime) {}', ['db', 'ports']],
  ['accesses', 'const f = (runtime: Runtime) => f(runtime.sql, runtime.log);', ['log', 'sql']],
  ['a pattern in the body', 'function f(runtime: Runtime) { const { db } = runtime; }', ['db']],
  ['a method', 'class A { f(runtime: Runtime) { return runtime.db; } }', ['db']],
])('finds %s', (_, code, fields) => {
  expect(findWidePlaces('server/x.ts', `\n${code}`)).toEqual([{ line: 2, fields }]);
});

it.each<[string, string]>([
  ['a Pick', "function f({ db }: Pick<Runtime, 'db'>) {}"],
  ['more than five fields', 'function f({ a, b, c, d, e, f }: Runtime) {}'],
  ['the rest', 'function f({ a, ...others }: Runtime) {}'],
  ['a value that is passed on', 'function f(runtime: Runtime) { runtime.db; g(runtime); }'],
  ['a value that is stored', 'class A { constructor(runtime: Runtime) { this.runtime = runtime; } }'],
  ['a function type', 'type F = (runtime: Runtime) => void;'],
])('accepts %s', (_, code) => {
  expect(findWidePlaces('server/x.ts', code)).toEqual([]);
});
