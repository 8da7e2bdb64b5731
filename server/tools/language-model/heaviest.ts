/** Chinese characters take three bytes each in UTF-8. */
const LONG = '漢字'.repeat(100_000);
const ONE = { type: 'object', properties: { a: { type: 'string' } } };

export const heaviest: [string, string, unknown][] = [
  ['language-model.chat', 'the longest message', { messages: [{ role: 'user', content: LONG }] }],
  [
    'language-model.chat',
    'a hundred messages',
    { messages: Array.from({ length: 100 }, () => ({ role: 'user', content: 'x'.repeat(2_000) })) },
  ],
  ['language-model.summarize', 'the longest text', { text: LONG }],
  ['language-model.extract_json', 'the longest text', { text: LONG, schema: ONE }],
  [
    'language-model.extract_json',
    'far too large a schema',
    { text: 'x', schema: { type: 'object', enum: Array.from({ length: 100_000 }, (_, at) => at) } },
  ],
];
