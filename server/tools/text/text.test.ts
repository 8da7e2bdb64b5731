import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSkill } from '../sdk/skill-harness';
import { tool } from '.';
import { compare } from './diff-worker.mjs';
import { passesLuhn, passesMod97 } from './patterns-worker.mjs';
import { createNoise, expectLinear } from './testing/hostile-texts';

type Found = {
  kind: string;
  count: number;
  items: { value: string; start: number; end: number; iso?: string }[];
}[];

const run = async (skill: string, input: Record<string, unknown>) =>
  (await runSkill(tool, skill, input)).output;
async function extractValues(kind: string, text: string): Promise<string[]> {
  const { found } = (await run('extract', { text, kinds: [kind] })) as { found: Found };
  for (const { start, end, value } of found[0]?.items ?? []) expect(text.slice(start, end)).toBe(value);
  return found[0]?.items.map(({ value }) => value) ?? [];
}
const redacted = async (text: string, rest: Record<string, unknown> = {}) =>
  (await run('redact', { text, ...rest })) as { text: string; counts: Record<string, number>; total: number };

describe('diff', () => {
  const word = fc.constantFrom('a', 'b', 'Grüße', '🤖', ' ', '\n', '.', 'the cat');
  const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(''));

  it('returns pieces that form both texts, and a patch from the old to the new', async () => {
    const granularity = fc.constantFrom('line', 'word', 'character');
    await fc.assert(
      fc.asyncProperty(text, text, granularity, async (old_text, new_text, unit) => {
        const compared = await run('diff', { old_text, new_text, granularity: unit });
        const changes = compared.changes as { kind: string; text: string }[];
        const without = (kind: string) =>
          changes
            .filter((change) => change.kind !== kind)
            .map((change) => change.text)
            .join('');
        expect(without('insert')).toBe(old_text);
        expect(without('delete')).toBe(new_text);
        expect((compared.stats as { identical: boolean }).identical).toBe(old_text === new_text);
        if (compared.unified !== '') expect(applyPatch(old_text, String(compared.unified))).toBe(new_text);
      }),
    );
  });

  it('counts and compares', async () => {
    expect(
      await run('diff', { old_text: 'milk\nbread\neggs\n', new_text: 'milk\nbutter\neggs\n' }),
    ).toMatchObject({
      unified: expect.stringContaining('-bread\n+butter\n'),
      stats: { inserted: 1, deleted: 1, unchanged: 2, similarity: 4 / 6, identical: false },
    });
    expect(await run('diff', { old_text: 'A', new_text: 'a', ignore_case: true })).toMatchObject({
      stats: { identical: true },
    });
    expect(await run('diff', { old_text: '', new_text: '' })).toMatchObject({
      unified: '',
      stats: { similarity: 1 },
    });
  });

  it('times out on completely different texts, with a hint', async () => {
    const texts = { old_text: createNoise(7), new_text: createNoise(11), granularity: 'character' } as const;
    const compared = compare({ ...texts, context_lines: 3, ignore_case: false, limitMs: 20 });
    expect(compared).toMatchObject({
      ok: false,
      message: expect.stringMatching(/in 0.02 s.*granularity line/),
    });
  });
});

describe('stats', () => {
  it('counts as a reader would', async () => {
    expect(await run('stats', { text: 'The cat sat. The end!\n\nFamily: 👨‍👩‍👧' })).toMatchObject({
      characters: 36,
      graphemes: 32,
      words: 6,
      unique_words: 5,
      sentences: 3,
      lines: 3,
      paragraphs: 2,
      top_words: [
        { word: 'the', count: 2 },
        { word: 'cat', count: 1 },
        { word: 'end', count: 1 },
        { word: 'family', count: 1 },
        { word: 'sat', count: 1 },
      ],
    });
    expect(await run('stats', { text: '私は猫です。', locale: 'ja' })).toMatchObject({
      characters: 6,
      sentences: 1,
    });
    const long = await run('stats', { text: 'One two three. '.repeat(10_000), top_words: 1 });
    expect(long).toMatchObject({ words: 30_000, sentences: 10_000, top_words: [{ count: 10_000 }] });
    expect(await run('stats', { text: 'é\u0301👨‍👩‍👧 '.repeat(9_000) })).toMatchObject({ graphemes: 27_000 });
    expect(await run('stats', { text: '' })).toMatchObject({
      characters: 0,
      words: 0,
      lines: 0,
      average_word_length: null,
    });
  });
});

describe('extract', () => {
  it('finds each kind, without the punctuation of the sentence', async () => {
    expect(await extractValues('emails', 'a.b+c@ex-ample.co.uk, <x@y.io>; not@this, .no@no..com')).toEqual([
      'a.b+c@ex-ample.co.uk',
      'x@y.io',
    ]);
    expect(
      await extractValues('urls', 'See (https://a.io/b_(c)?d=1#e). www.x.org, http:// and "https://q.io".'),
    ).toEqual(['https://a.io/b_(c)?d=1#e', 'www.x.org', 'https://q.io']);
    expect(
      await extractValues(
        'phone_numbers',
        'Call +49 30 1234567, (555) 123-4567 or 555-123-4567; not 2026-11-21, 10.0.0.1, 12345.',
      ),
    ).toEqual(['+49 30 1234567', '(555) 123-4567', '555-123-4567']);
    expect(await extractValues('numbers', 'From -1.5 to 1,234.50 or 20% and 3e8, not v2 or 2nd.')).toEqual([
      '-1.5',
      '1,234.50',
      '20%',
      '3e8',
    ]);
    expect(await extractValues('hashtags', '#wow #Über_2 #123 a#b http://x/#y')).toEqual(['#wow', '#Über_2']);
    expect(
      await extractValues(
        'ip_addresses',
        'From 10.0.0.1, ::1 and 2001:db8::ff. Not 256.1.1.1, 1.2.3 or 12:30.',
      ),
    ).toEqual(['10.0.0.1', '::1', '2001:db8::ff']);
  });

  it('parses dates, and returns the day only if it is unambiguous', async () => {
    const text =
      '2026-11-21T08:00Z, 24.12.2026, 1/2/2026, 12/31/2026, 3rd of May 2027, Feb 29, Feb 30, 2026-13-01';
    const { found } = (await run('extract', { text, kinds: ['dates'] })) as { found: Found };
    expect(found[0]?.items.map(({ value, iso }) => [value, iso])).toEqual([
      ['2026-11-21T08:00Z', '2026-11-21'],
      ['24.12.2026', '2026-12-24'],
      ['1/2/2026', undefined],
      ['12/31/2026', '2026-12-31'],
      ['3rd of May 2027', '2027-05-03'],
      ['Feb 29', undefined],
    ]);
  });
});

describe('redact', () => {
  it('replaces all kinds and counts them', async () => {
    const text =
      'ana@x.org +49 30 1234567 4111 1111 1111 1111 DE89 3704 0044 0532 0130 00 10.0.0.1 123-45-6789 Ana Silva';
    expect(await redacted(text, { terms: ['ana silva'] })).toEqual({
      text: '[EMAIL] [PHONE] [CARD] [IBAN] [IP] [SSN] [TERM]',
      counts: { email: 1, phone: 1, card: 1, iban: 1, ip: 1, ssn: 1, term: 1 },
      total: 7,
    });
    expect((await redacted('Annual Ann', { terms: ['ann'], style: 'mask' })).text).toBe('Annual ***');
    expect((await redacted('a@x.org 10.0.0.1', { kinds: ['ip'] })).text).toBe('a@x.org [IP]');
  });

  it.each([
    ['1.2.3.4:8080 IP:1.2.3.4, 1.2.3.4.', '[IP]:8080 IP:[IP], [IP].'],
    ['[2001:db8::1]:8080 fe80::1%eth0', '[[IP]]:8080 [IP]%eth0'],
    ['IPv6:2001:db8::1 ip:2001:db8::1', 'IPv6:[IP] ip:[IP]'],
    ['::ffff:1.2.3.4:80 2001:db8:0:0:0:0:0:1:8080', '[IP]:80 [IP]:8080'],
    ['10.0.0.1-10.0.0.9 10.0.0.0/8', '[IP]-[IP] [IP]/8'],
    ['mü@x.org MÜLLER@X.ORG jose\u0301@x.org', '[EMAIL] [EMAIL] [EMAIL]'],
    ['ana@müller.de ana@пример.рф ana@x.xn--p1ai', '[EMAIL] [EMAIL] [EMAIL]'],
    ['ana@例子.中国 用户1@例子。中国', '[EMAIL] [EMAIL]'],
    ['联系ana@x.org谢谢 메일은ana@x.org로', '联系[EMAIL]谢谢 메일은[EMAIL]로'],
    ['"john doe"@x.org "a\\"b"@x.org', '[EMAIL] [EMAIL]'],
    ["o'brien@x.org 'ana@x.org' <ana@x.org>", "[EMAIL] '[EMAIL]' <[EMAIL]>"],
    ['de89370400440532013000 gb82 west 1234 5698 7654 32', '[IBAN] [IBAN]'],
    ['De89 3704 0044 0532 0130 00, DE89-3704-0044-0532-0130-00', '[IBAN], [IBAN]'],
    ['DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000', '[IBAN]'],
    ['4111\u00a01111\u00a01111\u00a01111', '[CARD]'],
    ['+33\u202f6\u202f12\u202f34\u202f56\u202f78', '[PHONE]'],
    ['123\u201145\u20116789', '[SSN]'],
  ])('replaces %j as a whole', async (text, expected) => {
    expect((await redacted(text)).text).toBe(expected);
  });

  it.each([
    'std::add 12:30:45 v1.2.3.4 1.2.3.4.5 1.2.3 999.1.1.1',
    'a.@x.org a..b@x.org @x.org "hi" @x.org ana@localhost',
    'de89 3704 0044 0532 0130 01',
    'Grüße\u00a0an\u2011alle',
  ])('leaves %j as it is', async (text) => {
    expect(await redacted(text)).toMatchObject({ text, total: 0 });
  });

  it('ignores numbers with an invalid check digit', async () => {
    const text = 'Order 4111 1111 1111 1112 DE89 3704 0044 0532 0130 01';
    expect(await redacted(text, { kinds: ['card', 'iban'] })).toMatchObject({ text, total: 0 });
  });

  it('gives equal values equal hashes, across calls only with a key', async () => {
    const { text } = await redacted('a@x.org A@X.ORG b@x.org', { style: 'hash' });
    const [first, second, third] = text.split(' ');
    expect(first).toMatch(/^\[EMAIL:[0-9a-f]{12}\]$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect((await redacted('a@x.org', { style: 'hash' })).text).not.toBe(first);
    const keyed = { style: 'hash', hash_key: 'a long secret' };
    expect(await redacted('a@x.org', keyed)).toEqual(await redacted('a@x.org', keyed));
  });

  it('matches custom terms literally', async () => {
    expect((await redacted('a.c abc (x) [y]', { terms: ['a.c', '(x)', '[y]'] })).text).toBe(
      '[TERM] abc [TERM] [TERM]',
    );
  });

  it('detects any single wrong digit with Luhn and the IBAN checksum', () => {
    const luhn = (body: string) => [...'0123456789'].map((digit) => body + digit).filter(passesLuhn);
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]\d{14}$/), (body) => void expect(luhn(body)).toHaveLength(1)),
    );
    const mod97 = (country: string, body: string) => {
      const check =
        98 -
        Number(
          [...`${body}${country}00`].reduce(
            (rest, char) => BigInt(`${rest}${Number.parseInt(char, 36)}`) % 97n,
            0n,
          ),
        );
      return `${country}${String(check).padStart(2, '0')}${body}`;
    };
    fc.assert(
      fc.property(
        fc.stringMatching(/^\d{18}$/),
        fc.nat(17),
        fc.integer({ min: 1, max: 9 }),
        (body, at, change) => {
          const iban = mod97('DE', body);
          expect(passesMod97(iban)).toBe(true);
          const wrong = (Number(iban[at + 4]) + change) % 10;
          expect(passesMod97(`${iban.slice(0, at + 4)}${wrong}${iban.slice(at + 5)}`)).toBe(false);
        },
      ),
    );
  });
});

describe('hostile texts of 200,000 characters', () => {
  // The deep suite has all of them.
  it.each(['a@', '用户@'])(
    '%j never takes quadratic time: every skill ends long before its deadline',
    expectLinear,
  );
});
