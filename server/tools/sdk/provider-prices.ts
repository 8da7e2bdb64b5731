import { type Microusd, shareRoundedUp } from '../../kit/money';
import type { Price, PriceChange } from './define-tool';
import type { RateTable } from './rates';

/**
 * When the tables below were read from the providers' price pages. Update it together with them.
 */
export const PRICES_AS_OF = '2026-11-21';

/** Platform fee of a call through a provider: a twentieth of a cent. */
export const PLATFORM_FEE_MICROUSD: Microusd = 500n;

const MILLION = 1_000_000n;
/** Above any real response; bounds the price if a provider reports a wrong number. */
const MAX_UNITS = 1e12;

/** Micro-dollars per million tokens. */
type TokenRate = { readonly input: Microusd; readonly output: Microusd };

type ChatPrice = TokenRate & {
  /** Rate for all tokens of a request with more input tokens than this. */
  readonly long?: TokenRate & { readonly aboveInputTokens: number };
};

const usd = (dollars: number): Microusd => BigInt(Math.round(dollars * 1e6));
/** OpenAI's rule for long prompts: double the input rate, 1.5 times the output rate. */
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
export type ChatPrices = Readonly<Record<ChatModelName, ChatPrice>>;

/** Micro-dollars per million tokens of text. */
export const EMBEDDING_PRICES = {
  'text-embedding-3-small': usd(0.02),
  'text-embedding-3-large': usd(0.13),
} satisfies Record<string, Microusd>;
export type EmbeddingModelName = keyof typeof EMBEDDING_PRICES;

/**
 * Micro-dollars per million characters of text. elevenlabs.io/pricing/api, the most expensive plan.
 */
export const SPEECH_PRICES = {
  'tts-1': usd(15),
  'tts-1-hd': usd(30),
  eleven_flash_v2_5: usd(50),
  eleven_multilingual_v2: usd(100),
} satisfies Record<string, Microusd>;
export type SpeechModelName = keyof typeof SPEECH_PRICES;

/** Micro-dollars per second of sound: $0.006 and $0.0045 per minute. */
export const TRANSCRIPTION_PRICES = {
  'whisper-1': 100n,
  'gpt-transcribe': 75n,
} satisfies Record<string, Microusd>;
export type TranscriptionModelName = keyof typeof TRANSCRIPTION_PRICES;

/** Micro-dollars per picture (Replicate) or per started megapixel (fal). */
export const IMAGE_PRICES = {
  'flux-schnell': { fal: usd(0.003), replicate: usd(0.003) },
  'flux-dev': { fal: usd(0.025), replicate: usd(0.025) },
} satisfies Record<string, Record<'fal' | 'replicate', Microusd>>;
export type ImageModelName = keyof typeof IMAGE_PRICES;

/** Micro-dollars per search; Exa charges extra for each result after the tenth. */
export const SEARCH_PRICES = {
  /** One pay-as-you-go credit; a basic search costs one. */
  tavily: usd(0.008),
  brave: usd(0.005),
  exa: usd(0.007),
  exaMoreResult: usd(0.001),
} satisfies Record<string, Microusd>;
export const EXA_RESULTS_INCLUDED = 10;

/** A credit of Firecrawl's Standard plan, for a page of a site or a PDF. */
export const SCRAPE_PRICES = { credit: usd(0.001) } satisfies Record<string, Microusd>;
/** An email to one recipient beyond the volume of Resend's plans: $0.90 per thousand. */
export const EMAIL_PRICES = { recipient: usd(0.0009) } satisfies Record<string, Microusd>;

/** Rounds a provider's count up to an integer that is never negative. */
function wholeUnits(units: number): bigint {
  if (Number.isNaN(units) || units <= 0) return 0n;
  return BigInt(Math.ceil(Math.min(units, MAX_UNITS)));
}

/** The price of a number of units, at a rate per unit in micro-dollars. */
export function costOfUnits(units: number, rate: Microusd): Microusd {
  return wholeUnits(units) * rate;
}

/** The price of a number of units at a rate per million, rounded up to a micro-dollar. */
export function costPerMillion(units: number, rate: Microusd): Microusd {
  return (wholeUnits(units) * rate + MILLION - 1n) / MILLION;
}

/** The tokens of one request, as counted by the provider. */
export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The price of one request to a chat model, rounded up to a micro-dollar. */
export function chatCost(
  model: ChatModelName,
  { inputTokens, outputTokens }: TokenCount,
  prices: ChatPrices = CHAT_PRICES,
): Microusd {
  const price = prices[model];
  const rate = price.long && inputTokens > price.long.aboveInputTokens ? price.long : price;
  const total = wholeUnits(inputTokens) * rate.input + wholeUnits(outputTokens) * rate.output;
  return (total + MILLION - 1n) / MILLION;
}

interface ProviderPrice<Input, Usage, Rates extends RateTable> {
  unit: string;
  typicalMicrousd: Microusd;
  /** The input fields that `most` reads. */
  costFields: readonly (keyof Input & string)[];
  /** What the provider charges. */
  rates: Rates;
  /** Pure: the entries of `rates` that a call with this input can use; all by default. */
  ratesFor?(input: Input): readonly (keyof Rates & string)[];
  /** Pure: the highest cost at the provider for an input. */
  most(input: Input, rates: Rates): Microusd;
  /** Pure: the actual cost by the reported usage, of which at most `most` is charged. */
  cost(usage: Usage, rates: Rates): Microusd;
}

/** What a quote carries: the platform's part, and the rates that its call can use. */
type QuotedRates<Rates extends RateTable> = {
  platformFee: Microusd;
  /** The share of the provider's cost that the platform adds. */
  markupPpm: bigint;
  provider: Partial<Rates>;
};

/**
 * A price with a platform fee and the provider's cost.
 * @param change by an operator
 */
export function providerPrice<Input, Usage, Rates extends RateTable>(
  words: ProviderPrice<Input, Usage, Rates>,
  { platformFeeMicrousd: platformFee = PLATFORM_FEE_MICROUSD, markupPpm = 0n }: PriceChange = {},
): Price<Input, Usage> {
  const price = (providerCost: Microusd, quoted: RateTable | undefined) => {
    const current = (quoted as QuotedRates<Rates> | undefined) ?? { platformFee, markupPpm };
    return {
      platformFee: current.platformFee + shareRoundedUp(providerCost, current.markupPpm),
      providerCost,
    };
  };
  const toRates = (quoted: RateTable | undefined) =>
    quoted ? { ...words.rates, ...(quoted as QuotedRates<Rates>).provider } : words.rates;
  return {
    free: false,
    platformFeeMicrousd: platformFee + shareRoundedUp(words.typicalMicrousd, markupPpm),
    providerCostMicrousd: words.typicalMicrousd,
    unit: words.unit,
    costFields: words.costFields,
    rates(input) {
      const names = words.ratesFor?.(input);
      const provider = names ? pick(words.rates, names) : words.rates;
      return { platformFee, markupPpm, provider };
    },
    quote: (input, quoted) => price(words.most(input, toRates(quoted)), quoted),
    settle(input, usage, quoted) {
      const rates = toRates(quoted);
      const most = words.most(input, rates);
      return price(usage === undefined ? most : lowestCost(most, words.cost(usage, rates)), quoted);
    },
    reprice: (change) => providerPrice(words, change),
  };
}

function pick<Rates extends RateTable>(rates: Rates, names: readonly (keyof Rates & string)[]): RateTable {
  return Object.fromEntries(names.map((name) => [name, rates[name]]));
}

function lowestCost(one: Microusd, other: Microusd): Microusd {
  if (one < other) return one;
  return other;
}

/** Returns the largest of several amounts; zero if there are none. */
export function highestCost(amounts: readonly Microusd[]): Microusd {
  let most = 0n;
  for (const amount of amounts) if (amount > most) most = amount;
  return most;
}
