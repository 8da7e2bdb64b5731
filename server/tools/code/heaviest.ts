/** The heaviest inputs within a 1 MiB body, for calls/attempt-call.blocking.test.ts. */
export const heaviest: [string, string, unknown][] = [
  ['code.run_javascript', 'a loop without end', { code: 'for (;;);', timeout_seconds: 1 }],
  [
    'code.run_javascript',
    'a console without end',
    { code: "for (;;) console.log('x'.repeat(5000))", timeout_seconds: 1 },
  ],
  ['code.run_javascript', 'the largest value', { code: 'Array.from({ length: 90_000 }, (_, at) => at)' }],
  ['code.run_javascript', 'a value that is too large', { code: "'x'.repeat(3e7)" }],
  [
    'code.run_javascript',
    'the largest variable',
    { code: 'list.length', variables: { list: Array.from({ length: 200_000 }, () => 1) } },
  ],
  [
    'code.run_javascript',
    'far too many variables',
    {
      code: '1',
      variables: Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`v${at}`, 1])),
    },
  ],
];
