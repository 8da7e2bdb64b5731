import { expect, it } from 'vitest';
import { findLongFunctions } from './find-long-functions.mjs';

it.each<[string, string, string]>([
  ['a function', 'function f() {\n  1;\n  2;\n}', 'f'],
  ['a signature', 'function f({\n  a,\n  b,\n}) {}', 'f'],
  ['a template string', 'const f = () => `\n\n\n`;', 'f'],
  ['JSX', 'const f = () => (\n  <p>\n    a\n  </p>);', 'f'],
  ['a method', 'class A { m() {\n  1;\n  2;\n} }', 'm'],
  ['a getter', 'const a = { get g() {\n  1;\n  return 2;\n} };', 'g'],
  ['a property', 'const a = { p: () => {\n  1;\n  2;\n} };', 'p'],
  ['a callback', 'run(() => {\n  1;\n  2;\n});', 'a function'],
])('finds a long function: %s', (_, code, name) => {
  expect(findLongFunctions('x.tsx', `\n${code}\n`, 3)).toEqual([{ name, line: 2, lines: 4 }]);
  expect(findLongFunctions('x.tsx', `\n${code}\n`, 4)).toEqual([]);
});

it('counts the functions that a function encloses', () => {
  const code = 'function f() {\n  const g = () => {\n    1;\n  };\n  return g;\n}';
  expect(findLongFunctions('x.ts', code, 3)).toEqual([{ name: 'f', line: 1, lines: 6 }]);
});

it.each<[string, string]>([
  ['a long class', 'class A {\n  a() {}\n  b() {}\n  c() {}\n}'],
  ['a long literal', 'const a = {\n  a: 1,\n  b: 2,\n};'],
  ['a comment before a function', '/**\n * a\n * b\n */\nfunction f() {}'],
  ['a type', 'type F = (\n  a: 1,\n  b: 2,\n) => void;'],
])('accepts %s', (_, code) => {
  expect(findLongFunctions('x.ts', code, 3)).toEqual([]);
});
