import fc from 'fast-check';

/** Marks text to insert into JSON verbatim, for numbers that JSON.stringify cannot write. */
const RAW = '@raw:';

/** Writes JSON and inserts the raw numbers. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"@raw:([^"]*)"/g, '$1');
}

export const hostileNumber = fc.constantFrom<unknown>(
  ...['1e309', '-1e309', '-0', '1e-7', '1E400', '0.1000000000000000055', '9007199254740993'].map(
    (text) => RAW + text,
  ),
  ...[0, -1, 1, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 0.5, 10.001, 1e-7, 5e-324, Number.MAX_VALUE],
);

export const hostileText = fc.oneof(
  fc.constantFrom(
    ...['', ' ', '\u0000', 'a\u0000b', '\ud800', '\udfff\ud800', '\u202eevil', '\u2066x\u2069', '\ufeff'],
    ...['🤖'.repeat(200), 'e\u0301', '\u00e9', 'ſ', 'İ', '\r\nX-Evil: 1', '\u001b[31m', '\u2028', '%00'],
    ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'NaN', 'null', 'true', '5'],
    ...[
      "' or 1=1 --",
      "';select pg_sleep(9)--",
      '$1',
      '\\',
      '{{7*7}}',
      '$ {7*7}',
      '<script>',
      '../../etc/passwd',
    ],
    ...['%', '_', '%%%%', '*', '(((((', '!:*', "a' & b", 'http://127.0.0.1/', 'x'.repeat(70_000)],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
);

const POLLUTION = [
  JSON.parse('{"__proto__":{"polluted":true}}'),
  { constructor: { prototype: { polluted: true } } },
  JSON.parse('{"__proto__":null}'),
];

export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  hostileNumber,
  hostileText,
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { a: 1 }, ...POLLUTION),
  fc.constantFrom(100, 1_000).map((depth) => nested(depth)),
  fc.constantFrom(11, 2_000).map((length) => Array.from({ length }, () => ({}))),
  fc.jsonValue({ maxDepth: 3 }),
);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let n = 0; n < depth; n++) value = n % 2 ? [value] : { a: value };
  return value;
}

/** Segments of a path or a query, well-formed or not. */
export const hostileSegment = fc.oneof(
  fc.constantFrom(
    ...[
      '%00',
      '%ff',
      '%C0%AF',
      '%E0%A4%A',
      '%',
      '%zz',
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e',
      '.',
      '..',
      '*',
      '~',
    ],
    ...[
      '__proto__',
      'constructor',
      'toString',
      '%0d%0aX-Evil:1',
      "'%20or%201=1--",
      '%F0%9F%A4%96',
      '%ED%A0%80',
    ],
    ...[
      'null',
      'undefined',
      '0',
      '-1',
      'x'.repeat(2_000),
      '%E2%80%AEevil',
      ';',
      ':',
      '@',
      '$1',
      '{id}',
      '[]',
    ],
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }).map(encodeURIComponent),
);

export const hostileQuery = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      '=',
      '&',
      '&&&',
      '=a',
      'limit',
      'limit=',
      'limit=1&limit=2',
      'limit[]=1',
      'limit[a]=1',
      'q[]=a&q=b',
    ],
    ...[
      'q=%00',
      'q=%ff',
      'q=%',
      'q=+',
      'q=%F0%9F%A4%96',
      '%00=%00',
      '__proto__=1',
      '__proto__[a]=1',
      'q=a#b',
    ],
    ...[
      'constructor.prototype.a=1',
      'cursor=',
      'cursor=%00',
      'cursor=e30',
      'key_id=',
      'period=all&period=day',
    ],
    ...[
      `q=${'a%20'.repeat(900)}`,
      `q=${'%25_'.repeat(160)}`,
      'q=a%26%7C!(b)%3A*',
      'label=%00',
      '?',
      '?a=b?c',
    ],
  ),
  fc
    .array(
      fc.tuple(
        fc.constantFrom('q', 'limit', 'cursor', 'key_id', 'period', 'label', 'category', 'billing'),
        hostileSegment,
      ),
      {
        maxLength: 4,
      },
    )
    .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&')),
);

/** Header values that can be sent: latin-1 without control characters. */
const headerText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'x',
    ',',
    ';',
    '"',
    '=',
    '\u00ff\u00fe',
    'x'.repeat(300),
    'a, b',
    '*',
    '\u0080',
    'null',
  ),
  fc
    .array(
      fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f),
      { maxLength: 40 },
    )
    .map((codes) => String.fromCharCode(...codes)),
);

const KNOWN = {
  'Idempotency-Key': ['', ' ', 'é', 'k'.repeat(256), 'a b', '"quoted"'],
  Prefer: [
    'wait',
    'wait=',
    'wait=-1',
    'wait=0',
    'wait=1e9',
    'wait="0"',
    'wait=0;x=y, wait=1',
    'respond-async',
    ',',
  ],
  Accept: [
    '',
    'text/html',
    '*/*;q=0',
    'application/xml',
    'x',
    ',,,',
    'text/event-stream;q=0',
    'application/json;q=9',
  ],
  Range: [
    'bytes=',
    'bytes=-0',
    'bytes=9-1',
    'bytes=0-0,1-1',
    'bytes=99999999999999999999-',
    'items=0-1',
    'bytes=a-b',
  ],
  'If-None-Match': ['*', '"', 'W/', '"a", "b"', `"${'x'.repeat(500)}"`],
  'If-Range': ['"x"', 'Wed, 21 Oct 2015 07:28:00 GMT', 'garbage'],
  'If-Modified-Since': ['garbage', 'Wed, 99 Oct 2015 99:28:00 GMT'],
  Origin: ['null', 'https://evil.example', 'x'],
  Cookie: ['next-auth.session-token=x', '=;=;=', 'a'],
  'X-Request-Id': ['', 'a b', '<script>', 'x'.repeat(129), 'é'],
  'X-Forwarded-For': ['1.2.3.4', "'; drop table", '::1, x'],
  'X-Forwarded-Host': ['evil.example'],
  'X-HTTP-Method-Override': ['DELETE'],
  'X-Provider-Key-openai': ['', ' ', 'é', 'x'.repeat(5_000)],
  'X-Provider-Key-__proto__': ['x'],
  'X-Provider-Key-': ['x'],
  Expect: ['100-continue'],
  'Content-Encoding': ['gzip', 'br', 'identity', 'x'],
  TE: ['trailers'],
} as const;

/** Known headers with invalid values, some repeated. */
export const hostileHeaders: fc.Arbitrary<[string, string][]> = fc.array(
  fc
    .constantFrom(...(Object.keys(KNOWN) as (keyof typeof KNOWN)[]))
    .chain((name) =>
      fc
        .oneof(fc.constantFrom<string>(...KNOWN[name]), headerText)
        .map((value): [string, string] => [name, value]),
    ),
  { maxLength: 3 },
);

/** Invalid Authorization headers. @param key a valid key that they are derived from */
export const wrongAuthorizations = (key: string): string[] => [
  '',
  'Bearer',
  'Bearer ',
  key,
  `Basic ${Buffer.from(`a:${key}`).toString('base64')}`,
  `Bearer ${key}x`,
  `Bearer ${key.slice(0, -1)}`,
  `Bearer ${key.toUpperCase()}`,
  `Bearer "${key}"`,
  `Bearer ${key} ${key}`,
  `Bearer ${key}, Bearer ${key}`,
  `Token ${key}`,
  `Payment ${key}`,
  'Bearer \u00ff\u00fe',
  `Bearer ${'x'.repeat(4_000)}`,
];
