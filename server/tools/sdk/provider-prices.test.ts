import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tool as email } from '../email';
import { tool as embeddings } from '../embeddings';
import { tool as imageGeneration } from '../image-generation';
import { tool as languageModel } from '../language-model';
import { estimateMaxTokens } from '../language-model/models';
import { tool as scrape } from '../scrape';
import { tool as speech } from '../speech';
import { tool as transcription } from '../transcription';
import { tool as webSearch } from '../web-search';
import type { AnySkill } from './define-tool';
import {
  CHAT_PRICES,
  type ChatModelName,
  chatCost,
  costPerMillion,
  PLATFORM_FEE_MICROUSD,
  PRICES_AS_OF,
} from './provider-prices';
import { listRates, type RateTable, replaceRates } from './rates';
import { findSkill } from './skill-harness';

const models = Object.keys(CHAT_PRICES) as ChatModelName[];
const anyModel = fc.constantFrom(...models);
/** Counts that a provider could report, including invalid numbers. */
const anyCount = fc.oneof(
  fc.nat(2_000_000),
  fc.double(),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1),
);
const anyText = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 300 })
  .filter((text) => text.trim() !== '');

const chatInput = fc.record({
  messages: fc.array(fc.record({ role: fc.constant('user'), content: anyText }), {
    minLength: 1,
    maxLength: 5,
  }),
  max_tokens: fc.integer({ min: 16, max: 8_192 }),
  model: fc.option(anyModel, { nil: undefined }),
});
const chatUsage = fc.record({
  model: anyModel,
  requests: fc.array(fc.record({ inputTokens: anyCount, outputTokens: anyCount }), { maxLength: 3 }),
});
const count = (name: string, rest: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({ ...rest, [name]: anyCount });

/** Every skill with a metered price: its inputs, and any usage at all. */
const metered: [string, AnySkill, fc.Arbitrary<unknown>, fc.Arbitrary<unknown>][] = [
  ['chat', findSkill(languageModel, 'chat'), chatInput, chatUsage],
  [
    'summarize',
    findSkill(languageModel, 'summarize'),
    fc.record({ text: anyText, model: anyModel }),
    chatUsage,
  ],
  [
    'extract_json',
    findSkill(languageModel, 'extract_json'),
    fc.record({ text: anyText, schema: fc.constant({ type: 'object' }), model: anyModel }),
    chatUsage,
  ],
  [
    'search',
    findSkill(webSearch, 'search'),
    fc.record({ query: fc.constant('x'), count: fc.integer({ min: 1, max: 20 }) }),
    fc.record({
      slot: fc.constantFrom('tavily', 'brave', 'exa'),
      results: anyCount,
      credits: fc.option(anyCount, { nil: undefined }),
      costUsd: fc.option(anyCount, { nil: undefined }),
    }),
  ],
  [
    'generate',
    findSkill(imageGeneration, 'generate'),
    fc.record({ prompt: anyText, count: fc.integer({ min: 1, max: 4 }) }),
    count('units', {
      slot: fc.constantFrom('fal', 'replicate'),
      model: fc.constantFrom('flux-schnell', 'flux-dev'),
    }),
  ],
  [
    'text_to_speech',
    findSkill(speech, 'text_to_speech'),
    fc.record({ text: anyText }),
    count('characters', { model: fc.constantFrom('tts-1', 'tts-1-hd', 'eleven_multilingual_v2') }),
  ],
  [
    'transcribe',
    findSkill(transcription, 'transcribe'),
    fc.record({ file: fc.constant('asset_sample_tone'), max_minutes: fc.integer({ min: 1, max: 600 }) }),
    count('seconds', { model: fc.constantFrom('whisper-1', 'gpt-transcribe') }),
  ],
  [
    'embed',
    findSkill(embeddings, 'embed'),
    fc.record({ texts: fc.array(anyText, { minLength: 1, maxLength: 5 }) }),
    count('inputTokens', { model: fc.constantFrom('text-embedding-3-small', 'text-embedding-3-large') }),
  ],
  [
    'scrape',
    findSkill(scrape, 'scrape'),
    fc.record({ url: fc.constant('https://example.com/'), max_pdf_pages: fc.integer({ min: 1, max: 100 }) }),
    count('credits', {}),
  ],
  [
    'send',
    findSkill(email, 'send'),
    fc.record({
      from: fc.constant('a@example.com'),
      to: fc.array(fc.constant('b@example.com'), { minLength: 1, maxLength: 50 }),
      subject: fc.constant('x'),
      text: fc.constant('x'),
    }),
    count('recipients', {}),
  ],
];

/** The same table with every price multiplied; thresholds stay. */
function scaleRates(rates: RateTable, by: bigint): RateTable {
  const scaled = [...listRates(rates)].map(
    ([path, rate]) => [path, path.endsWith('aboveInputTokens') ? rate : by * rate] as const,
  );
  const replaced = replaceRates(rates, new Map(scaled));
  if (!replaced) throw new Error('The paths of a table are its own');
  return replaced;
}

describe("prices by a provider's counts", () => {
  it.each(metered)(
    'never exceed the quote of %s, whatever the provider counts',
    (_, skill, inputs, usages) => {
      fc.assert(
        fc.property(inputs, fc.option(usages, { nil: undefined }), (input, usage) => {
          const parsed = skill.input.parse(input);
          const quote = skill.price.quote(parsed);
          const settled = skill.price.settle(parsed, usage);
          expect(settled.platformFee).toBe(PLATFORM_FEE_MICROUSD);
          expect(settled.providerCost).toBeGreaterThanOrEqual(0n);
          expect(settled.providerCost).toBeLessThanOrEqual(quote.providerCost);
          expect(quote.providerCost).toBeGreaterThan(0n);
        }),
      );
    },
  );

  it.each(metered)(
    'of %s use the unit prices of a quote instead of the current ones',
    (_, skill, inputs, usages) => {
      fc.assert(
        fc.property(inputs, fc.option(usages, { nil: undefined }), (input, usage) => {
          const { price, input: schema } = skill;
          const parsed = schema.parse(input);
          const rates = price.rates(parsed);
          expect(price.quote(parsed, rates)).toEqual(price.quote(parsed));
          const quoted = scaleRates(rates, 3n);
          const [now, then] = [price.quote(parsed), price.quote(parsed, quoted)];
          expect(then.platformFee).toBe(3n * PLATFORM_FEE_MICROUSD);
          // Each request is rounded up to a micro-dollar.
          expect(then.providerCost).toBeLessThanOrEqual(3n * now.providerCost);
          expect(then.providerCost).toBeGreaterThan(3n * (now.providerCost - 3n));
          const settled = price.settle(parsed, usage, quoted);
          expect(settled.platformFee).toBe(then.platformFee);
          expect(settled.providerCost).toBeLessThanOrEqual(then.providerCost);
        }),
      );
    },
  );

  it('are covered by the quote for any token count that a text and max_tokens allow', () => {
    const skill = findSkill(languageModel, 'chat');
    fc.assert(
      fc.property(chatInput, anyModel, fc.double({ min: 0, max: 1, noNaN: true }), (input, model, share) => {
        const parsed = skill.input.parse({ ...input, model });
        const texts = parsed.messages.map(({ content }: { content: string }) => content);
        const tokens = {
          inputTokens: Math.floor(share * estimateMaxTokens(texts)),
          outputTokens: Math.floor(share * parsed.max_tokens),
        };
        // Not limited by the quote: the price is what the provider charges.
        expect(skill.price.settle(parsed, { model, requests: [tokens] }).providerCost).toBe(
          chatCost(model, tokens),
        );
      }),
    );
  });

  it('are rounded up to a micro-dollar, and are off by at most one', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(1e8), (units, rate) => {
        const exact = BigInt(units) * BigInt(rate);
        const cost = costPerMillion(units, BigInt(rate));
        expect(cost * 1_000_000n).toBeGreaterThanOrEqual(exact);
        expect((cost - 1n) * 1_000_000n).toBeLessThan(exact === 0n ? 1n : exact);
      }),
    );
    expect(costPerMillion(1, 20_000n)).toBe(1n);
    expect(chatCost('gpt-6-luna', { inputTokens: 1, outputTokens: 0 })).toBe(1n);
  });

  it('of a long prompt use the long rate for all its tokens', () => {
    const tokens = { inputTokens: 100_001, outputTokens: 1_000 };
    expect(chatCost('claude-haiku-5-5', { ...tokens, inputTokens: 100_000 })).toBe(10_500n);
    expect(chatCost('claude-haiku-5-5', tokens)).toBe(52_501n);
    expect(chatCost('gpt-6.1-terra', { inputTokens: 272_001, outputTokens: 1_000 })).toBe(551_502n);
  });

  it('come from a dated table', () => {
    expect(PRICES_AS_OF).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(Date.parse(PRICES_AS_OF)).not.toBeNaN();
  });

  it.each(['chat', 'summarize'])('cover the models of %s, and refuse others with a list of them', (name) => {
    const refused = findSkill(languageModel, name).input.safeParse({
      messages: [{ role: 'user', content: 'x' }],
      text: 'x',
      model: 'gpt-2',
    });
    expect(refused.error?.issues[0]).toMatchObject({ path: ['model'] });
    for (const model of models) expect(refused.error?.issues[0]?.message).toContain(model);
  });
});
