import { describe, expect, it } from 'vitest';
import { evaluate, expectConsoleTruncated, run } from './testing/run-code';

describe('code.run_javascript', () => {
  it.each([
    ['1 + 1', 2],
    ['const a = [1, 2]; a.map((x) => x * 2)', [2, 4]],
    ['return 5', 5],
    ['if (true) { return { a: await Promise.resolve(1) } }', { a: 1 }],
    ['await Promise.resolve(7)', 7],
    ['Promise.resolve(8)', 8],
    ['(async () => { await null; return "x" })()', 'x'],
    ['await new Promise((done) => setTimeout(() => done("waited"), 20))', 'waited'],
    ['const id = setTimeout(() => { throw 1 }, 1); clearTimeout(id); "kept"', 'kept'],
    ['undefined', null],
    ['new Map([[1, 2]])', { Map: [[1, 2]] }],
    ['2n ** 64n', '18446744073709551616'],
    ['() => 1', '[Function ]'],
    ['new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['NaN', null],
    ['JSON.stringify = () => "mine"; [1]', [1]],
    ['// only a comment', null],
  ])('returns the value of %j', async (code, value) => {
    expect(await evaluate(code)).toEqual(value);
  });

  it('provides the given variables', async () => {
    const variables = { rows: [{ n: 1 }, { n: 2 }], name: 'x"y', nothing: null };
    expect(await evaluate('[rows.map((row) => row.n), name, nothing]', { variables })).toEqual([
      [1, 2],
      'x"y',
      null,
    ]);
    await expect(run('1', { variables: { 'no name': 1 } })).rejects.toThrow(/identifiers/);
  });

  it('streams the console while the code runs, and returns it', async () => {
    const { output, logs } = await run(
      'console.log("a", { b: [1] }, undefined, 5n); console.error(new Error("bad")); 1',
    );
    expect(logs).toEqual(['a {"b":[1]} undefined 5', 'error: Error: bad']);
    expect(output).toMatchObject({
      value: 1,
      type: 'number',
      console: [
        { level: 'log', text: 'a {"b":[1]} undefined 5' },
        { level: 'error', text: 'Error: bad' },
      ],
      console_truncated: false,
    });
  });

  it.each([
    [
      'let a = 1;\nconst x = ;',
      /^code: SyntaxError: unexpected token in expression: ';' \(line 2, column 11\)$/,
    ],
    ['\n\nreturn 1 +', /^code: SyntaxError: .*\(line [34]/],
    ['\n\nnothing.here', /^code: ReferenceError: '?nothing'? is not defined \(line 3/],
    ['await null;\nthrow new TypeError("bad")', /^code: TypeError: bad \(line 2/],
    ['throw { a: 1 }', /^code: threw \{"a":1\}/],
    ['await new Promise(() => {})', /never settles/],
    ['new Promise(() => {})', /never settles/],
    ['const a = {}; a.a = a; a', /cannot be serialized as JSON/],
  ])('reports why %j fails', async (code, message) => {
    await expect(run(code)).rejects.toThrow(message);
  });
});

describe('the code sandbox', () => {
  it('exposes nothing of the host', async () => {
    const names = [
      'process',
      'require',
      'module',
      'fetch',
      'XMLHttpRequest',
      'Buffer',
      'WebAssembly',
      'std',
      'os',
      'Deno',
    ];
    expect(await evaluate(`[${names.map((name) => `typeof ${name}`)}]`)).toEqual(
      names.map(() => 'undefined'),
    );
    const globals = await evaluate(
      'Object.getOwnPropertyNames(globalThis).filter((n) => typeof globalThis[n] === "function")',
    );
    expect(globals).not.toEqual(expect.arrayContaining(['eval0', 'load', 'print', 'spawn', 'Worker']));
  });

  it.each([
    '"".constructor.constructor("return typeof process")()',
    'console.log.constructor("return typeof process")()',
    'setTimeout.constructor("return typeof process")()',
    '(async () => {}).constructor("return typeof process")()',
    'new Function("return typeof process")()',
    '(0, eval)("typeof process")',
    'rows.constructor.constructor("return typeof process")()',
    'let found; try { null.x } catch (error) { found = error.constructor.constructor("return typeof process")() } found',
    'Error.prepareStackTrace = (_, frames) => frames; let s = new Error().stack; typeof s === "string" ? "undefined" : typeof s[0].getThis().process',
  ])('cannot be escaped with %s', async (code) => {
    expect(await evaluate(code, { variables: { rows: [1] } })).toBe('undefined');
  });

  it('cannot import modules', async () => {
    await expect(run('await import("node:fs")')).rejects.toThrow(/^code: /);
    await expect(run('import fs from "fs"')).rejects.toThrow(/^code: SyntaxError/);
  });

  it.each([
    ['for (;;);', 'a loop'],
    ['await (async function again() { for (;;) await null })()', 'promises'],
    ['/^(a+)+$/.test("a".repeat(60) + "!")', 'a pattern'],
    ['await new Promise((done) => setTimeout(done, 60000))', 'a timer'],
    ['try { for (;;); } catch { } finally { for (;;); }', 'a loop that catches'],
    ['const again = () => Promise.resolve().then(again); again(); await new Promise(() => {})', 'jobs'],
    ['const value = { toJSON() { for (;;); } }; value', 'a value'],
  ])('ends %s (%s)', async (code) => {
    await expect(run(code, { timeout_seconds: 0.1 })).rejects.toThrow(
      /exceeded the time limit of 0.1 s|cannot be serialized|out of memory/,
    );
  });

  it.each([
    'const a = []; for (;;) a.push(new Array(10000).fill(1))',
    '"x".repeat(1e9)',
    'function deep() { return deep() + 1 } deep()',
    'eval("[".repeat(1e5))',
  ])('survives %s', async (code) => {
    await expect(run(code)).rejects.toThrow(/^code: /);
    expect(await evaluate('1 + 1')).toBe(2);
  });

  it('lets code catch a stack overflow and continue', async () => {
    expect(
      await evaluate('let n = 0; const deep = () => { n++; deep() }; try { deep() } catch {} n > 100'),
    ).toBe(true);
  });

  it('bounds the console output', async () => {
    const { output, logs } = await run('for (let i = 0; i < 5000; i++) console.log("x".repeat(5000))');
    expect(output.console_truncated).toBe(true);
    expect(output.console.length).toBeLessThanOrEqual(200);
    expect(JSON.stringify(output.console).length).toBeLessThan(80_000);
    expect(logs.length).toBe(1_001);
  });

  it.each(['throw new Error("bad")', 'null.x'])(
    'outputs little of the console of a failed run, which is free: %s @F7',
    (end) => expectConsoleTruncated(end, 30),
  );

  it('does not extend the time limit for console output @F7', async () => {
    const code = `const end = Date.now() + 1500;
      while (Date.now() < end) { const next = Date.now() + 50; while (Date.now() < next); console.log('x'); }`;
    await expect(run(code, { timeout_seconds: 0.3 })).rejects.toThrow('exceeded the time limit of 0.3 s');
  });

  it('keeps no state for the next run', async () => {
    await run('globalThis.kept = 1; Array.prototype.map = null; Object.prototype.bad = 1');
    expect(await evaluate('[typeof kept, typeof [].map, typeof ({}).bad]')).toEqual([
      'undefined',
      'function',
      'undefined',
    ]);
  });
});
