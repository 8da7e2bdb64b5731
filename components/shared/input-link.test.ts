import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { playgroundPath, readInput } from './input-link';

const readLinkInput = (path: string) =>
  readInput(new URL(path, 'http://localhost').searchParams.get('input') ?? undefined);

describe('playgroundPath and readInput', () => {
  it('round-trips every input that is short enough', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 2 })), (input) => {
        const json = JSON.parse(JSON.stringify(input));
        const path = playgroundPath('math', 'evaluate', json);
        if (path.includes('input=')) expect(readLinkInput(path)).toEqual(json);
      }),
    );
    expect(readLinkInput(playgroundPath('a', 'b', { text: 'ü 漢 😀 +/=?&#' }))).toEqual({
      text: 'ü 漢 😀 +/=?&#',
    });
    expect(playgroundPath('a', 'b', { text: 'x'.repeat(3_000) })).toBe(
      '/dashboard/playground?tool=a&skill=b',
    );
  });

  it('accept plain JSON, which people can write', () => {
    expect(readInput('{"text":"ü"}')).toEqual({ text: 'ü' });
    expect(readInput('{"text":')).toBeNull();
  });

  it('return no input for an invalid parameter', () => {
    for (const written of [undefined, '', '%', 'bm8', btoa('[1]'), btoa('null'), '_w', 'x'.repeat(5_000)])
      expect(readInput(written)).toBeNull();
  });
});
