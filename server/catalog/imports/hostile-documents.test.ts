import { describe, expect, it } from 'vitest';
import { measureLeastBlock } from '@/test/support/measure-block';
import { parseDocument } from './read-openapi';
import { get, read } from './testing/read-paths';

describe('a document of a hostile upstream', () => {
  const MAX_BLOCK_MS = 50;
  const properties = Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`p${i}`, { not: {} }]));
  const refers = { $ref: '#/components/schemas/A' };
  const responses = { 200: { content: { 'application/json': { schema: refers } } } };
  const repeat = (count: number, item: (i: number) => object) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`/${i}`, item(i)]));

  it.each<[string, () => unknown]>([
    ['a long comment', () => parseDocument(`${'# '.repeat(30)}x`)],
    ['a path with many brackets', () => read({ [`/${'{'.repeat(20_000)}`]: get('a') })],
    [
      'a server with many brackets',
      () => read({ '/a': get('a', { servers: [{ url: '{'.repeat(20_000) }] }) }),
    ],
    [
      'combinations of a schema with itself',
      () =>
        read(
          { '/a': get('a', { parameters: [{ name: 'q', in: 'query', schema: refers }] }) },
          { components: { schemas: { A: { allOf: Array(6).fill(refers) } } } },
        ),
    ],
    ...[`[\\@${'!-'.repeat(8_000)}]`, `[\\@${'!-'.repeat(2_000_000)}]`].map(
      (pattern): [string, () => unknown] => [
        `a pattern of ${pattern.length} characters that must be rewritten`,
        () => read({ '/a': get('a', { parameters: [{ name: 'q', in: 'query', schema: { pattern } }] }) }),
      ],
    ),
    [
      'operations that each refer to a large schema',
      () =>
        read(
          repeat(20, (i) => get(`a${i}`, { responses })),
          { components: { schemas: { A: { properties } } } },
        ),
    ],
  ])('blocks no other call: %s @C13', async (_what, attack) => {
    const block = await measureLeastBlock(MAX_BLOCK_MS, 2, async () => attack());
    expect(block).toBeLessThan(MAX_BLOCK_MS);
  });

  it('is refused if its operations repeat a schema until they take too much memory @C13', async () => {
    const large = { type: 'object', description: 'x'.repeat(120_000) };
    const reading = read(
      repeat(300, (i) => get(`a${i}`, { responses })),
      { components: { schemas: { A: large } } },
    );
    await expect(reading).rejects.toThrow('more than 32 MiB');
  });
});
