import { describe, expect, it } from 'vitest';
import { evaluate, expectConsoleTruncated, run } from './testing/run-code';

describe('the code sandbox', () => {
  it.each([
    'const a = []; for (;;) a.push(new Array(10000).fill(1))',
    'let s = "x"; for (;;) s += s',
    '"x".repeat(1e9)',
    'new ArrayBuffer(1e9)',
    'new Uint8Array(2 ** 31 - 1)',
    'function deep() { return deep() + 1 } deep()',
    'let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; JSON.stringify(o)',
    'let o = []; for (let i = 0; i < 1e5; i++) o = [o]; o',
    'new RegExp("(".repeat(1e5) + ")".repeat(1e5))',
    'eval("[".repeat(1e5))',
    '"x".repeat(2e6)',
  ])('survives %s', async (code) => {
    await expect(run(code)).rejects.toThrow(/^code: /);
    expect(await evaluate('1 + 1')).toBe(2);
  });

  it('outputs little of the console of a run that does not end', () =>
    expectConsoleTruncated('for (;;);', 5));

  it('leaves no memory behind', async () => {
    const greedy = 'const a = []; try { for (;;) a.push(new Array(10000).fill(1)) } catch { a.length > 100 }';
    for (let turn = 0; turn < 10; turn += 1) expect(await evaluate(greedy)).toBe(true);
  });

  it('handles a large number of lines, timers and promises', async () => {
    const many = `for (let i = 0; i < 200000; i++) console.log(i);
      for (let i = 0; i < 20000; i++) clearTimeout(setTimeout(() => {}, 1000));
      for (let i = 0; i < 300; i++) await new Promise((done) => setTimeout(done, 0));
      'done'`;
    expect(await evaluate(many, { timeout_seconds: 30 })).toBe('done');
  });
});
