import { z } from 'zod';
import {
  CHAT_PRICES,
  type ChatModelName,
  type ChatPrices,
  chatCost,
  highestCost,
  providerPrice,
  type TokenCount,
} from '../sdk/provider-prices';
import type { Slot } from '../sdk/providers';
import type { ProviderClient } from '../sdk/skill-context';

type ChatProvider = 'openai' | 'anthropic';

interface ChatModel {
  readonly slot: ChatProvider;
  /** Newer models reject a temperature. */
  readonly takesTemperature: boolean;
  /** Request fields that limit the tokens spent on reasoning. */
  readonly extra: Readonly<Record<string, unknown>>;
}

const withoutReasoning = {
  slot: 'openai',
  takesTemperature: false,
  extra: { reasoning_effort: 'none' },
} as const;
const lowEffort = {
  slot: 'anthropic',
  takesTemperature: false,
  extra: { output_config: { effort: 'low' } },
} as const;

/** The models available to callers: all that have a price. */
export const CHAT_MODELS: Readonly<Record<ChatModelName, ChatModel>> = {
  'gpt-6-luna': withoutReasoning,
  'gpt-6.1-terra': withoutReasoning,
  'gpt-6.1-sol': withoutReasoning,
  'gpt-4.1-mini': { slot: 'openai', takesTemperature: true, extra: {} },
  'claude-haiku-5-5': {
    slot: 'anthropic',
    takesTemperature: false,
    extra: { thinking: { type: 'disabled' } },
  },
  'claude-haiku-4-5': { slot: 'anthropic', takesTemperature: true, extra: {} },
  'claude-sonnet-5-5': lowEffort,
  'claude-opus-5-5': lowEffort,
};

const DEFAULT_MODELS: Readonly<Record<ChatProvider, ChatModelName>> = {
  openai: 'gpt-6-luna',
  anthropic: 'claude-haiku-5-5',
};
const PROVIDER_NAMES = ['openai', 'anthropic'] as const;
const NAMES = Object.keys(CHAT_MODELS) as [ChatModelName, ...ChatModelName[]];
const WITH_TEMPERATURE = NAMES.filter((name) => CHAT_MODELS[name].takesTemperature).join(' and ');

export const CHAT_PROVIDERS: readonly Slot[] = PROVIDER_NAMES;
/** UTF-16 code units of all texts of a request in total. */
export const MAX_CHARS = 200_000;
export const MAX_TOKENS = 8_192;

/** Input fields that choose the provider and model. */
export const choiceInput = {
  provider: z
    .enum(PROVIDER_NAMES)
    .optional()
    .describe('Provider: openai or anthropic; by default the one that has an API key, OpenAI first.'),
  model: z
    .enum(NAMES)
    .optional()
    .describe(
      `Name of the model at its provider; by default ${DEFAULT_MODELS.openai} or ${DEFAULT_MODELS.anthropic}.`,
    ),
};

/** The output field with the reason why the response ended. */
export const stopReason = z
  .enum(['end', 'length', 'declined'])
  .describe('end: it finished. length: max_tokens cut it off. declined: the model refused. All are charged.');

/** Output fields with the provider, the model and its usage. */
export const choiceOutput = {
  provider: z.enum(PROVIDER_NAMES).describe('The provider that responded.'),
  model: z.string().describe('The model that responded.'),
  usage: z
    .object({
      input_tokens: z.int().describe('Input tokens as counted by the provider.'),
      output_tokens: z.int().describe('Output tokens, including reasoning.'),
    })
    .describe('Usage as reported by the provider.'),
};

/** Builds the output fields of choiceOutput, with the usage of all requests added up. */
export function buildChoiceOutput(slot: string, model: ChatModelName, requests: readonly TokenCount[]) {
  const sum = (field: keyof TokenCount) => requests.reduce((total, request) => total + request[field], 0);
  return {
    provider: slot === 'anthropic' ? ('anthropic' as const) : ('openai' as const),
    model,
    usage: { input_tokens: sum('inputTokens'), output_tokens: sum('outputTokens') },
  };
}

export interface Choice {
  readonly provider?: ChatProvider | undefined;
  readonly model?: ChatModelName | undefined;
  readonly temperature?: number | undefined;
}

/** Reports a provider without the model, or a temperature that the model does not support. */
export function checkChoice({ provider, model, temperature }: Choice, context: z.RefinementCtx): void {
  const say = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  if (provider && model && CHAT_MODELS[model].slot !== provider)
    say('model', `${model} is a model of ${CHAT_MODELS[model].slot}. Omit provider or model.`);
  if (temperature !== undefined && !(model && CHAT_MODELS[model].takesTemperature))
    say(
      'temperature',
      `Only ${WITH_TEMPERATURE} support temperature. Set model to one of them, or omit temperature.`,
    );
}

export function getProvidersForChoice({ provider, model }: Choice): readonly Slot[] {
  if (model) return [CHAT_MODELS[model].slot];
  return provider ? [provider] : CHAT_PROVIDERS;
}

/** Returns the requested model, or the default model of the provider in use. */
export function chooseModel({ model }: Choice, { slot }: ProviderClient): ChatModelName {
  return model ?? DEFAULT_MODELS[slot === 'anthropic' ? 'anthropic' : 'openai'];
}

/** Upper bounds for the tokens that a provider adds to each message and request. */
const TOKENS_A_MESSAGE = 16;
const TOKENS_A_REQUEST = 1_500;

/** Upper bound for the input tokens: a text never has more tokens than bytes. */
export function estimateMaxTokens(texts: readonly string[]): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return bytes + texts.length * TOKENS_A_MESSAGE + TOKENS_A_REQUEST;
}

/** Usage that determines the price: all requests made to one model. */
export interface ChatUsage {
  readonly model: ChatModelName;
  readonly requests: readonly TokenCount[];
}

/**
 * A price by tokens. `most` returns upper bounds for the requests of a call, for any model.
 * @param costFields the input fields that `most` reads
 */
export function tokenPrice<Input extends Choice>(
  most: (input: Input) => readonly TokenCount[],
  costFields: readonly (keyof Input & string)[],
) {
  const getModels = (input: Input) =>
    getProvidersForChoice(input).map((slot) => input.model ?? DEFAULT_MODELS[slot as ChatProvider]);
  return providerPrice<Input, ChatUsage, ChatPrices>({
    unit: 'call; shown is one with 1,000 words in and 300 out',
    typicalMicrousd: chatCost(DEFAULT_MODELS.openai, { inputTokens: 1_400, outputTokens: 400 }),
    costFields: [...costFields, 'model', 'provider'],
    rates: CHAT_PRICES,
    ratesFor: getModels,
    most(input, rates) {
      const requests = most(input);
      return highestCost(getModels(input).map((model) => sumCosts(model, requests, rates)));
    },
    cost: ({ model, requests }, rates) => sumCosts(model, requests, rates),
  });
}

function sumCosts(model: ChatModelName, requests: readonly TokenCount[], rates: ChatPrices) {
  return requests.reduce((sum, request) => sum + chatCost(model, request, rates), 0n);
}
