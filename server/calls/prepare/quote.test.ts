import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { GatewayError } from '../../core/errors/gateway-error';
import { defineSkill, type Price, perCall, perUnit } from '../../tools/sdk/define-tool';
import { quoteCall } from './price-call';
import {
  createQuote,
  fromQueuedPrices,
  type QuotedCall,
  readQuote,
  readVarints,
  toQueuedPrices,
  writeVarints,
} from './quote';

const settings = { authSecret: 'a secret of the test that is long enough', byokRatePpm: 50_000n };
const NOW = Date.parse('2026-11-26T09:20:00.500Z');
const MINUTE_MS = 60_000;

const input = z.object({ pages: z.int() });
const skillWith = (price: Price<z.infer<typeof input>, { units: number }>) =>
  defineSkill<z.infer<typeof input>, object, { units: number }>({
    name: 'read',
    displayName: 'Read',
    description: 'For tests',
    input,
    output: z.object({}),
    returns: 'nothing',
    examples: [],
    price,
    annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1 },
    run: async () => ({ output: {} }),
  });
const byPage = (fee: bigint) => skillWith(perUnit('page', fee, ({ pages }) => pages, ['pages']));

const CALL: QuotedCall = {
  accountId: 'acct_one',
  tool: 'reader',
  skill: byPage(100n),
  input: { pages: 3 },
  rawInput: { pages: 3, options: { a: 1, b: 2 } },
  byok: false,
};
const create = (call = CALL) =>
  createQuote(settings, call, quoteCall(call.skill, call.input, call.byok, settings.byokRatePpm), NOW);
const refusal = (call: QuotedCall, id: string, now = NOW, from = settings) => {
  try {
    readQuote(from, call, id, now);
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(error).toMatchObject({ code: 'INVALID_INPUT', details: { billed: false } });
    expect(error.details.fields?.map(({ path }) => path)).toEqual(['quote_id']);
    return error.message;
  }
};

describe('a quote', () => {
  it('has an id short enough to copy, the maximum cost and its expiry', () => {
    expect(create()).toEqual({
      id: expect.stringMatching(/^quote_[A-Za-z0-9_-]{30,60}$/),
      max_usd: 0.0003,
      expires_at: '2026-11-26T09:30:00.000Z',
    });
  });

  it('returns the prices of its time after they have changed, in every process', () => {
    const { id } = create();
    const raised = { ...CALL, skill: byPage(900n) };
    const { max, rates } = readQuote({ authSecret: settings.authSecret }, raised, id, NOW);
    expect(max).toEqual({ markup: 300n, raw: 0n });
    expect(raised.skill.price.settle({ pages: 3 }, { units: 2 }, rates).platformFee).toBe(200n);
    expect(raised.skill.price.settle({ pages: 3 }, { units: 2 }).platformFee).toBe(1_800n);
  });

  it('does not depend on the order of the input fields', () => {
    const same = { ...CALL, rawInput: { options: { b: 2, a: 1 }, pages: 3 } };
    expect(refusal(same, create().id)).toBeNull();
  });

  it.each<[string, Partial<QuotedCall>]>([
    ['account', { accountId: 'acct_two' }],
    ['tool', { tool: 'other' }],
    ['skill', { skill: { ...CALL.skill, name: 'write' } }],
    ['input', { rawInput: { ...CALL.rawInput, pages: 4 } }],
    ['kind of provider key', { byok: true }],
    ['kind of price', { skill: skillWith(perCall(100n)) }],
  ])('is refused for another %s @F20', (_, other) => {
    expect(refusal({ ...CALL, ...other }, create().id)).toContain('is not a quote for this call');
  });

  it('is refused by a gateway with another secret', () => {
    const other = { ...settings, authSecret: 'another secret that is long enough too' };
    expect(refusal(CALL, create().id, NOW, other)).toContain('is not a quote for this call');
  });

  it('is refused if any of its characters differs @F20', () => {
    const { id } = create();
    const start = 'quote_'.length;
    for (let at = 0; at < id.length; at++)
      for (const other of at < start ? ['x'] : ['A', 'z', '-', '_', '='])
        if (id[at] !== other)
          expect(refusal(CALL, id.slice(0, at) + other + id.slice(at + 1)), `${at}`).toContain('is not');
    for (const other of [
      `${id}A`,
      id.slice(0, -1),
      id.slice(start),
      `${id}=`,
      ' ',
      'quote_',
      `quote_${'A'.repeat(900)}`,
    ])
      expect(refusal(CALL, other)).toContain('is not a quote for this call');
  });

  it('is valid for ten minutes @F20', () => {
    const { id } = create();
    expect(refusal(CALL, id, NOW + 10 * MINUTE_MS - 501)).toBeNull();
    expect(refusal(CALL, id, NOW + 10 * MINUTE_MS)).toContain('expired at 2026-11-26T09:30:00.000Z');
  });

  it('of a queued call is stored and restored with all its prices', () => {
    const bound = readQuote(settings, CALL, create().id, NOW);
    const stored = JSON.parse(JSON.stringify(toQueuedPrices(bound)));
    const { max, rates, byokRatePpm } = bound;
    expect(fromQueuedPrices(stored, byPage(900n), CALL.input)).toEqual({ max, rates, byokRatePpm });
    expect(fromQueuedPrices(stored, skillWith(perCall(100n)), CALL.input)).toBeNull();
  });
});

it('amounts keep their value as varints, and truncated ones are refused', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt(0n, 2n ** 63n)), (amounts) => {
      const bytes = writeVarints(amounts);
      expect(readVarints(bytes)).toEqual(amounts);
      if (amounts.length > 0) expect(readVarints(bytes.subarray(0, -1))?.length).not.toBe(amounts.length);
    }),
  );
  expect(readVarints(Buffer.alloc(11, 0xff))).toBeNull();
});
