import { describe, expect, it } from 'vitest';
import { createList, findSkill } from '@/test/support/heaviest-inputs';
import { measureCpuMs } from '@/test/support/measure-block';
import { noServices } from './sdk/no-services';

const MAX_CPU_MS = 1;
const numbers = (count: number) => createList(count, (at) => Math.sin(at) * 1e5);
const statistics = (count: number) => ({
  values: numbers(count),
  y: numbers(count),
  quantiles: createList(100, (at) => at / 100),
  histogram_bins: 1_000,
});
const text = (pattern: string, chars: number) => pattern.repeat(chars).slice(0, chars);
const redactPage = (pattern: string) => ({ text: text(pattern, 2_200) });
const redact = (pattern: string, chars = 400) => ({
  text: text(pattern, chars),
  style: 'hash',
  hash_key: 'secret key',
});

/** Per skill: the heaviest inputs that are computed without a worker, and ones larger by one. */
const SIZES: [id: string, heaviest: [what: string, input: unknown][], larger: unknown[]][] = [
  ['math.statistics', [['numbers in many bins', statistics(500)]], [statistics(501)]],
  [
    'text.extract',
    [
      ['dates', { text: text('1.1.2020 ', 400) }],
      ['social security numbers', { text: text('123-45-6789 ', 400) }],
      ['addresses without end', { text: text('a漢.@', 400) }],
    ],
    [{ text: text('a', 401) }],
  ],
  [
    'text.redact',
    [
      ['digits that may be cards', redact('4 ')],
      ['digits that are none', redact('1 ')],
      ['phone numbers', redact('0123456 ')],
      ['many terms', { text: 'a', terms: createList(100, (at) => String.fromCharCode(0x4e00 + at)) }],
      ['long terms', { ...redact('b', 100), terms: createList(3, (at) => text(`a${at}`, 100)) }],
      ['a page of digits that may be cards', redactPage('4 ')],
      ['a page of addresses of people', redactPage('a@b.co ')],
      ['a page of network addresses', redactPage('1.1.1.1 ')],
      ['a page of bank accounts', redactPage('DE00 ')],
      ['a page of social security numbers', redactPage('123-45-6789 ')],
    ],
    [
      redact('a', 401),
      { text: text('漢', 401) },
      { text: text('a', 401), terms: ['b'] },
      { text: text('a', 2_201) },
    ],
  ],
];

/** Runs a skill whose signal is aborted: no worker starts, so what needs one throws. */
async function runWithoutWorkers(id: string, input: unknown): Promise<unknown> {
  const skill = findSkill(id);
  return await skill.run({
    ...noServices({}),
    input: skill.input.parse(input),
    log: () => undefined,
    progress: () => undefined,
    signal: AbortSignal.abort(),
  });
}

describe('what is computed without a worker', () => {
  const heaviest = SIZES.flatMap(([id, inputs]) => inputs.map(([what, input]) => ({ id, what, input })));

  it.each(heaviest)('takes under a millisecond: $id of $what', async ({ id, input }) => {
    expect(await measureCpuMs(() => runWithoutWorkers(id, input))).toBeLessThan(MAX_CPU_MS);
  });

  it.each(SIZES.flatMap(([id, , larger]) => larger.map((input) => ({ id, input }))))(
    'is not a longer input of $id',
    async ({ id, input }) => {
      await expect(runWithoutWorkers(id, input)).rejects.toThrow();
    },
  );
});
