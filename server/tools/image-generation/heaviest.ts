export const heaviest: [string, string, unknown][] = [
  ['image-generation.generate', 'the longest prompt', { prompt: '漢'.repeat(4_000), count: 4 }],
];
