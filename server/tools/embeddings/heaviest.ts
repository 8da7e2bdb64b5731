const texts = (count: number, chars: number) => Array.from({ length: count }, () => '漢'.repeat(chars));

export const heaviest: [string, string, unknown][] = [
  ['embeddings.embed', 'the most vectors', { texts: texts(256, 100), model: 'text-embedding-3-large' }],
  ['embeddings.embed', 'the longest texts', { texts: texts(11, 30_000) }],
  ['embeddings.embed', 'the most numbers in an answer', { texts: texts(32, 10), dimensions: 1_024 }],
];
