import type { Microusd } from '../../kit/money';
import type { Price } from './define-tool';

/** The day on which the tables below were read from the providers' price pages. Change it with them. */
export const PRICES_AS_OF = '2026-11-21';

/** What the gateway takes for a call through a provider: a twentieth of a cent. */
export const PLATFORM_FEE_MICROUSD: Microusd = 500n;

const MILLION = 1_000_000n;
/** No answer has more of anything; keeps a broken number of a provider from becoming a broken price. */
const MAX_UNITS = 1e12;

/** Micro-dollars for a million tokens. */
interface TokenRate {
  readonly input: Microusd;
  readonly output: Microusd;
}

interface ChatPrice extends TokenRate {
  /** What all tokens of a request cost once its input has more tokens than this. */
  readonly long?: TokenRate & { readonly aboveInputTokens: number };
}

const usd = (dollars: number): Microusd => BigInt(Math.round(dollars * 1e6));
/** OpenAI's rule for long prompts: twice the input, one and a half times the output. */
const openAiRate = (input: number, output: number): ChatPrice => ({
  input: usd(input),
  output: usd(output),
  long: { aboveInputTokens: 272_000, input: usd(2 * input), output: usd(1.5 * output) },
});

/** developers.openai.com/api/docs/pricing and platform.claude.com/docs/en/about-claude/pricing */
export const CHAT_PRICES = {
  'gpt-6-luna': openAiRate(0.1, 0.5),
  'gpt-6.1-terra': openAiRate(1, 5),
  'gpt-6.1-sol': openAiRate(2, 10),
  'gpt-4.1-mini': { input: usd(0.4), output: usd(1.6) },
  'claude-haiku-5-5': {
    input: usd(0.1),
    output: usd(0.5),
    long: { aboveInputTokens: 100_000, input: usd(0.5), output: usd(2.5) },
  },
  'claude-haiku-4-5': { input: usd(1), output: usd(5) },
  'claude-sonnet-5-5': { input: usd(2), output: usd(10) },
  'claude-opus-5-5': { input: usd(4), output: usd(20) },
} satisfies Record<string, ChatPrice>;
export type ChatModelName = keyof typeof CHAT_PRICES;

/** Micro-dollars for a million tokens of text. */
export const EMBEDDING_PRICES = {
  'text-embedding-3-small': usd(0.02),
  'text-embedding-3-large': usd(0.13),
} satisfies Record<string, Microusd>;
export type EmbeddingModelName = keyof typeof EMBEDDING_PRICES;

/** Micro-dollars for a million characters of text. elevenlabs.io/pricing/api, the dearest plan. */
export const SPEECH_PRICES = {
  'tts-1': usd(15),
  'tts-1-hd': usd(30),
  eleven_flash_v2_5: usd(50),
  eleven_multilingual_v2: usd(100),
} satisfies Record<string, Microusd>;
export type SpeechModelName = keyof typeof SPEECH_PRICES;

/** Micro-dollars for a second of sound: $0.006 and $0.0045 a minute. */
export const TRANSCRIPTION_PRICES = {
  'whisper-1': 100n,
  'gpt-transcribe': 75n,
} satisfies Record<string, Microusd>;
export type TranscriptionModelName = keyof typeof TRANSCRIPTION_PRICES;

/** Micro-dollars for a picture (Replicate) or for each megapixel begun (fal). */
export const IMAGE_PRICES = {
  'flux-schnell': { fal: usd(0.003), replicate: usd(0.003) },
  'flux-dev': { fal: usd(0.025), replicate: usd(0.025) },
} satisfies Record<string, Record<'fal' | 'replicate', Microusd>>;
export type ImageModelName = keyof typeof IMAGE_PRICES;

/** Micro-dollars for a search; Exa takes more for each result after the tenth. */
export const SEARCH_PRICES = {
  /** A credit, pay as you go; a basic search takes one. */
  tavily: usd(0.008),
  brave: usd(0.005),
  exa: usd(0.007),
  exaMoreResult: usd(0.001),
} satisfies Record<string, Microusd>;
export const EXA_RESULTS_INCLUDED = 10;

/** A credit of Firecrawl's Standard plan: a page, or a page of a PDF. */
export const SCRAPE_CREDIT_MICROUSD = usd(0.001);
/** A mail to one recipient beyond the volume of Resend's plans: $0.90 a thousand. */
export const EMAIL_MICROUSD = usd(0.0009);

/** What a provider counted, as a whole number that can be multiplied: never negative, never NaN. */
function wholeUnits(units: number): bigint {
  if (Number.isNaN(units) || units <= 0) return 0n;
  return BigInt(Math.ceil(Math.min(units, MAX_UNITS)));
}

/** The price of so many units, each at that many micro-dollars. */
export function costOfUnits(units: number, rate: Microusd): Microusd {
  return wholeUnits(units) * rate;
}

/** The price of so many units at a rate for a million of them, rounded up to a micro-dollar. */
export function costPerMillion(units: number, rate: Microusd): Microusd {
  return (wholeUnits(units) * rate + MILLION - 1n) / MILLION;
}

/** The tokens of one request, as the provider counted them. */
export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What one request to a chat model costs, rounded up to a micro-dollar. */
export function chatCost(model: ChatModelName, { inputTokens, outputTokens }: TokenCount): Microusd {
  const price: ChatPrice = CHAT_PRICES[model];
  const rate = price.long && inputTokens > price.long.aboveInputTokens ? price.long : price;
  const total = wholeUnits(inputTokens) * rate.input + wholeUnits(outputTokens) * rate.output;
  return (total + MILLION - 1n) / MILLION;
}

/**
 * A price whose greater half is what the provider takes.
 * @param most pure: the most that it can take for this input
 * @param cost pure: what it took, from the usage that its answer told; never more than `most` is charged
 */
export function providerPrice<Input, Usage>(words: {
  unit: string;
  typicalMicrousd: Microusd;
  most(input: Input): Microusd;
  cost(usage: Usage, input: Input): Microusd;
}): Price<Input, Usage> {
  const whole = (providerCost: Microusd) => ({ platformFee: PLATFORM_FEE_MICROUSD, providerCost });
  return {
    free: false,
    platformFeeMicrousd: PLATFORM_FEE_MICROUSD,
    providerCostMicrousd: words.typicalMicrousd,
    unit: words.unit,
    quote: (input) => whole(words.most(input)),
    settle(input, usage) {
      const most = words.most(input);
      return whole(usage === undefined ? most : cheapest(most, words.cost(usage, input)));
    },
  };
}

function cheapest(one: Microusd, other: Microusd): Microusd {
  if (one < other) return one;
  return other;
}

/** The largest of several amounts; nothing where there are none. */
export function dearest(amounts: readonly Microusd[]): Microusd {
  let most = 0n;
  for (const amount of amounts) if (amount > most) most = amount;
  return most;
}
