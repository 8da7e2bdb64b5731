import { z } from 'zod';
import { writeNumberTexts } from '../../kit/number-texts';
import type { ChatModelName, TokenCount } from '../sdk/provider-prices';
import {
  type ProviderRequest,
  type Requester,
  requestJson,
  unsupportedResponse,
} from '../sdk/provider-request';
import { CHAT_MODELS } from './models';

/** Long responses take a while. */
const TIME_LIMIT_MS = 120_000;
const SCHEMA_NAME = 'result';

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

export interface Prompt {
  readonly model: ChatModelName;
  readonly system?: string | undefined;
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  /** A JSON Schema of type object that the response must match. */
  readonly schema?: Record<string, unknown> | undefined;
}

/** Why a model stopped: it finished, max_tokens cut it off, or it declined to respond. */
export type StopReason = 'end' | 'length' | 'declined';

export interface Completion {
  /** Text, or JSON for a schema. Empty if the model declined or spent max_tokens on reasoning. */
  readonly text: string;
  readonly stop: StopReason;
  readonly tokens: TokenCount;
}

const count = z.number().nonnegative();
const openAiAnswer = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }),
});
const anthropicAnswer = z.object({
  content: z.array(
    z.looseObject({ type: z.string(), text: z.string().optional(), input: z.unknown().optional() }),
  ),
  stop_reason: z.string(),
  usage: z.object({
    input_tokens: count,
    output_tokens: count,
    cache_creation_input_tokens: count.nullish(),
    cache_read_input_tokens: count.nullish(),
  }),
});

/**
 * Requests one completion from a model. A declined or empty response is a result, not an error: the
 * provider charges for it, so it must not be free for the caller.
 * @throws {SkillError} if the provider fails
 */
export async function complete(asker: Requester, prompt: Prompt): Promise<Completion> {
  const sendPrompt = CHAT_MODELS[prompt.model].slot === 'openai' ? completeWithOpenAi : completeWithAnthropic;
  const { text, reason, tokens } = await sendPrompt(asker, prompt);
  const stop = toStopReason(reason);
  if (!text && stop === 'end') throw unsupportedResponse(asker.provider);
  return { text, stop, tokens };
}

function toStopReason(reason: string): StopReason {
  if (/refusal|content_filter/.test(reason)) return 'declined';
  return reason === 'length' || reason === 'max_tokens' ? 'length' : 'end';
}

interface ModelResponse {
  readonly text: string;
  readonly reason: string;
  readonly tokens: TokenCount;
}

// These providers do not charge for refused or failed requests, so repeating one is safe.
const request = (path: string, json: unknown): ProviderRequest => ({
  path,
  json,
  timeLimitMs: TIME_LIMIT_MS,
  repeatable: true,
});

async function completeWithOpenAi(asker: Requester, prompt: Prompt): Promise<ModelResponse> {
  const system = prompt.system ? [{ role: 'system', content: prompt.system }] : [];
  const json = {
    model: prompt.model,
    messages: [...system, ...prompt.messages],
    max_completion_tokens: prompt.maxTokens,
    temperature: prompt.temperature,
    ...CHAT_MODELS[prompt.model].extra,
    response_format: prompt.schema && {
      type: 'json_schema',
      json_schema: { name: SCHEMA_NAME, schema: prompt.schema, strict: false },
    },
  };
  const { answer } = await requestJson(asker, request('/v1/chat/completions', json), openAiAnswer);
  const [choice] = answer.choices;
  return {
    text: choice?.message.content ?? choice?.message.refusal ?? '',
    reason: choice?.message.refusal ? 'refusal' : (choice?.finish_reason ?? ''),
    tokens: { inputTokens: answer.usage.prompt_tokens, outputTokens: answer.usage.completion_tokens },
  };
}

async function completeWithAnthropic(asker: Requester, prompt: Prompt): Promise<ModelResponse> {
  const json = {
    model: prompt.model,
    max_tokens: prompt.maxTokens,
    system: prompt.system || undefined,
    messages: prompt.messages,
    temperature: prompt.temperature,
    ...CHAT_MODELS[prompt.model].extra,
    // The newest models reject a forced tool choice, so the instructions request the tool.
    ...(prompt.schema && {
      tools: [{ name: SCHEMA_NAME, description: 'Takes the result.', input_schema: prompt.schema }],
      tool_choice: { type: 'auto' },
    }),
  };
  const asked = { ...request('/v1/messages', json), marksNumbers: true };
  const { answer } = await requestJson(asker, asked, anthropicAnswer);
  const { usage, content } = answer;
  const call = content.find(({ type }) => type === 'tool_use');
  const written = content.flatMap(({ type, text }) => (type === 'text' && text ? [text] : []));
  const cached = (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
  return {
    text: call ? writeNumberTexts(JSON.stringify(call.input)) : written.join(''),
    reason: answer.stop_reason,
    tokens: { inputTokens: usage.input_tokens + cached, outputTokens: usage.output_tokens },
  };
}
