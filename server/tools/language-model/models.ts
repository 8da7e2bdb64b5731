import { z } from 'zod';
import type { Slot } from '../sdk/providers';
import {
  type ChatModelName,
  chatCost,
  dearest,
  providerPrice,
  type TokenCount,
} from '../sdk/provider-prices';
import type { ProviderClient } from '../sdk/skill-context';

type ChatSlot = 'openai' | 'anthropic';

interface ChatModel {
  readonly slot: ChatSlot;
  /** Newer models refuse it. */
  readonly takesTemperature: boolean;
  /** Fields of its request that keep it from spending max_tokens on thoughts. */
  readonly extra: Readonly<Record<string, unknown>>;
}

const quiet = { slot: 'openai', takesTemperature: false, extra: { reasoning_effort: 'none' } } as const;
const brief = {
  slot: 'anthropic',
  takesTemperature: false,
  extra: { output_config: { effort: 'low' } },
} as const;

/** The models that a caller may name: those with a price. */
export const CHAT_MODELS: Readonly<Record<ChatModelName, ChatModel>> = {
  'gpt-6-luna': quiet,
  'gpt-6.1-terra': quiet,
  'gpt-6.1-sol': quiet,
  'gpt-4.1-mini': { slot: 'openai', takesTemperature: true, extra: {} },
  'claude-haiku-5-5': {
    slot: 'anthropic',
    takesTemperature: false,
    extra: { thinking: { type: 'disabled' } },
  },
  'claude-haiku-4-5': { slot: 'anthropic', takesTemperature: true, extra: {} },
  'claude-sonnet-5-5': brief,
  'claude-opus-5-5': brief,
};

const DEFAULT_MODELS: Readonly<Record<ChatSlot, ChatModelName>> = {
  openai: 'gpt-6-luna',
  anthropic: 'claude-haiku-5-5',
};
const SLOTS = ['openai', 'anthropic'] as const;
const NAMES = Object.keys(CHAT_MODELS) as [ChatModelName, ...ChatModelName[]];
const WITH_TEMPERATURE = NAMES.filter((name) => CHAT_MODELS[name].takesTemperature).join(' and ');

export const CHAT_SLOTS: readonly Slot[] = SLOTS;
/** UTF-16 units of all texts of a request together. */
export const MAX_CHARS = 200_000;
export const MAX_TOKENS = 8_192;

/** The input fields that choose who answers. */
export const choiceInput = {
  provider: z
    .enum(SLOTS)
    .optional()
    .describe('Who answers: openai or anthropic. Left out: whichever has a key here, OpenAI first.'),
  model: z
    .enum(NAMES)
    .optional()
    .describe(
      `The model, by its provider's name. Left out: ${DEFAULT_MODELS.openai} or ${DEFAULT_MODELS.anthropic}.`,
    ),
};

/** The output fields that tell who answered. */
/** Why the answer ended, as outputs say it. */
export const stopReason = z
  .enum(['end', 'length', 'declined'])
  .describe(
    'end: it was done. length: max_tokens cut it off. declined: the model would not do it. All are paid for.',
  );

export const choiceOutput = {
  provider: z.enum(SLOTS).describe('Who answered.'),
  model: z.string().describe('The model that answered.'),
  usage: z
    .object({
      input_tokens: z.int().describe('Tokens read, as the provider counted them.'),
      output_tokens: z.int().describe('Tokens written, thoughts included.'),
    })
    .describe('What the provider counted.'),
};

/** Who answered, and what the provider counted over all requests. */
export function answeredBy(slot: string, model: ChatModelName, requests: readonly TokenCount[]) {
  const sum = (field: keyof TokenCount) => requests.reduce((total, request) => total + request[field], 0);
  return {
    provider: slot === 'anthropic' ? ('anthropic' as const) : ('openai' as const),
    model,
    usage: { input_tokens: sum('inputTokens'), output_tokens: sum('outputTokens') },
  };
}

export interface Choice {
  readonly provider?: ChatSlot;
  readonly model?: ChatModelName;
  readonly temperature?: number;
}

/** Why a choice cannot be: the wrong provider for the model, or a temperature it does not take. */
export function checkChoice({ provider, model, temperature }: Choice, context: z.RefinementCtx): void {
  const say = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  if (provider && model && CHAT_MODELS[model].slot !== provider)
    say('model', `${model} is a model of ${CHAT_MODELS[model].slot}. Leave provider or model out.`);
  if (temperature !== undefined && !(model && CHAT_MODELS[model].takesTemperature))
    say(
      'temperature',
      `Only ${WITH_TEMPERATURE} take it: name one of them as model, or leave temperature out.`,
    );
}

export function slotsForChoice({ provider, model }: Choice): readonly Slot[] {
  if (model) return [CHAT_MODELS[model].slot];
  return provider ? [provider] : CHAT_SLOTS;
}

/** The model that answers where the gateway chose this provider. */
export function modelFor({ model }: Choice, { slot }: ProviderClient): ChatModelName {
  return model ?? DEFAULT_MODELS[slot === 'anthropic' ? 'anthropic' : 'openai'];
}

/** What a provider adds around each message and each request, at most, in tokens. */
const TOKENS_A_MESSAGE = 16;
const TOKENS_A_REQUEST = 1_500;

/** No tokenizer makes more tokens of a text than it has bytes. */
export function mostTokens(texts: readonly string[]): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return bytes + texts.length * TOKENS_A_MESSAGE + TOKENS_A_REQUEST;
}

/** What settles a price: the requests that were made of one model. */
export interface ChatUsage {
  readonly model: ChatModelName;
  readonly requests: readonly TokenCount[];
}

/** A price by tokens. `most` is the most that each request of a call can take, whichever model answers. */
export function tokenPrice<Input extends Choice>(most: (input: Input) => readonly TokenCount[]) {
  return providerPrice<Input, ChatUsage>({
    unit: 'call; shown is one with 1,000 words in and 300 out',
    typicalMicrousd: chatCost(DEFAULT_MODELS.openai, { inputTokens: 1_400, outputTokens: 400 }),
    most(input) {
      const requests = most(input);
      const models = slotsForChoice(input).map((slot) => input.model ?? DEFAULT_MODELS[slot as ChatSlot]);
      return dearest(models.map((model) => sumOf(model, requests)));
    },
    cost: ({ model, requests }) => sumOf(model, requests),
  });
}

function sumOf(model: ChatModelName, requests: readonly TokenCount[]) {
  return requests.reduce((sum, request) => sum + chatCost(model, request), 0n);
}
