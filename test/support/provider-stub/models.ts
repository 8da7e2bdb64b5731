import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  BadRequest,
  createHeaderReader,
  generateSample,
  type ProviderFake,
  parseJson,
  readBearer,
  type StubAnswer,
  type StubRequest,
} from './exchange';

const tone = () => readFileSync('server/assets/samples/tone.mp3');
/** Estimates tokens as four bytes each. */
const countTokens = (text: string) => Math.max(1, Math.ceil(Buffer.byteLength(text) / 4));

const openAiChat = z.strictObject({
  model: z.enum(['gpt-6-luna', 'gpt-6.1-terra', 'gpt-6.1-sol', 'gpt-4.1-mini']),
  messages: z
    .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string().min(1) }))
    .min(1),
  max_completion_tokens: z.int().min(1),
  temperature: z.number().min(0).max(2).optional(),
  reasoning_effort: z.enum(['none', 'low', 'medium', 'high']).optional(),
  response_format: z
    .strictObject({
      type: z.literal('json_schema'),
      json_schema: z.strictObject({
        name: z.string().regex(/^[\w-]{1,64}$/),
        schema: z.record(z.string(), z.unknown()),
        strict: z.boolean(),
      }),
    })
    .optional(),
});

/** The output of a fake model: JSON for a requested schema, otherwise text. */
function generateOutput({ behaviour, seen }: StubRequest, schema: unknown, question: string): string {
  if (!schema) return `Stub answer to: ${question.slice(0, 200)}`;
  if (behaviour === 'bad-data' || (behaviour === 'bad-data-once' && seen === 0))
    return '{"unexpected": true}';
  if (behaviour === 'long-number') return '{"name":"Ada","age":725653563933458433}';
  return JSON.stringify(generateSample(schema));
}

function chat(request: StubRequest): StubAnswer {
  const body = parseJson(request, openAiChat);
  if (body.model !== 'gpt-4.1-mini' && body.temperature !== undefined)
    throw new BadRequest("Unsupported parameter: 'temperature' is not supported with this model.");
  const text = generateOutput(
    request,
    body.response_format?.json_schema.schema,
    body.messages.at(-1)?.content ?? '',
  );
  const refused = request.behaviour === 'refusal';
  return {
    status: 200,
    body: {
      id: 'chatcmpl-stub',
      object: 'chat.completion',
      model: body.model,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: refused ? null : text,
            refusal: refused ? 'I cannot.' : null,
          },
          finish_reason: request.behaviour === 'length' ? 'length' : 'stop',
        },
      ],
      usage: {
        prompt_tokens: countTokens(body.messages.map(({ content }) => content).join('')),
        completion_tokens: Math.min(countTokens(text), body.max_completion_tokens),
      },
    },
  };
}

function speech(request: StubRequest): StubAnswer {
  const { input } = parseJson(
    request,
    z.strictObject({
      model: z.enum(['tts-1', 'tts-1-hd']),
      input: z.string().min(1).max(4096),
      voice: z.enum(['alloy', 'ash', 'coral', 'echo', 'fable', 'onyx', 'nova', 'sage', 'shimmer']),
      response_format: z.enum(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']),
      speed: z.number().min(0.25).max(4),
    }),
  );
  if (!input) throw new BadRequest('input is empty');
  return { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: tone() };
}

function transcription(request: StubRequest): StubAnswer {
  const type = request.headers['content-type'] ?? '';
  const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(type)?.[1];
  if (!boundary) throw new BadRequest('Content-Type must be multipart/form-data');
  const parts = new Map<string, string>();
  for (const part of request.body.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
    const [head = '', ...rest] = part.split('\r\n\r\n');
    const name = /name="([^"]+)"/.exec(head)?.[1];
    if (!name) throw new BadRequest('A part has no name');
    if (name === 'file' && !/filename="[^"]+\.\w+"/.test(head)) throw new BadRequest('file: no file name');
    parts.set(name, rest.join('\r\n\r\n').replace(/\r\n$/, ''));
  }
  const model = parts.get('model');
  if (model !== 'whisper-1' && model !== 'gpt-transcribe') throw new BadRequest('model: unknown');
  if (!parts.get('file')) throw new BadRequest('file: is required');
  const verbose = parts.get('response_format') === 'verbose_json';
  if (verbose && model !== 'whisper-1') throw new BadRequest('response_format: not supported by this model');
  const seconds = request.behaviour === 'long-audio' ? 7_200 : 2;
  const usage = { type: 'duration', seconds };
  if (!verbose) return { status: 200, body: { text: 'A tone of the stub.', usage } };
  const segment = { id: 0, start: 0, end: 1.8, text: ' A tone of the stub.' };
  return {
    status: 200,
    body: { language: 'english', duration: seconds, text: 'A tone of the stub.', segments: [segment], usage },
  };
}

function embeddings(request: StubRequest): StubAnswer {
  const { model, input, dimensions } = parseJson(
    request,
    z.strictObject({
      model: z.enum(['text-embedding-3-small', 'text-embedding-3-large']),
      input: z.array(z.string().min(1)).min(1).max(2048),
      dimensions: z.int().min(1).max(3072).optional(),
      encoding_format: z.literal('base64'),
    }),
  );
  const size = dimensions ?? (model === 'text-embedding-3-small' ? 1536 : 3072);
  const vector = (at: number) => {
    const floats = Float32Array.from({ length: size }, (_, index) => Math.sin(at + index));
    return Buffer.from(floats.buffer).toString('base64');
  };
  const data = input.map((_, index) => ({ object: 'embedding', index, embedding: vector(index) }));
  const usage = { prompt_tokens: countTokens(input.join('')), total_tokens: countTokens(input.join('')) };
  return { status: 200, body: { object: 'list', data: data.reverse(), model, usage } };
}

export const openai: ProviderFake = {
  readKey: readBearer,
  error: (_, message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  answer(request) {
    if (request.method === 'POST' && request.path === '/v1/chat/completions') return chat(request);
    if (request.method === 'POST' && request.path === '/v1/audio/speech') return speech(request);
    if (request.method === 'POST' && request.path === '/v1/audio/transcriptions')
      return transcription(request);
    if (request.method === 'POST' && request.path === '/v1/embeddings') return embeddings(request);
    return { status: 404, body: openai.error(404, 'Unknown request URL') };
  },
};

const INPUT = 'the input of the tool';

const anthropicMessage = z.strictObject({
  model: z.enum(['claude-haiku-5-5', 'claude-haiku-4-5', 'claude-sonnet-5-5', 'claude-opus-5-5']),
  max_tokens: z.int().min(1),
  system: z.string().min(1).optional(),
  messages: z
    .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string().min(1) }))
    .min(1)
    .refine((messages) => messages.at(-1)?.role === 'user', 'must end with a user message'),
  temperature: z.number().min(0).max(1).optional(),
  thinking: z.strictObject({ type: z.literal('disabled') }).optional(),
  output_config: z.strictObject({ effort: z.enum(['low', 'medium', 'high']) }).optional(),
  tools: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[\w-]{1,64}$/),
        description: z.string(),
        input_schema: z.looseObject({ type: z.literal('object') }),
      }),
    )
    .optional(),
  tool_choice: z.strictObject({ type: z.literal('auto') }).optional(),
});

export const anthropic: ProviderFake = {
  readKey: createHeaderReader('x-api-key'),
  error: (_, message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  answer(request) {
    if (request.method !== 'POST' || request.path !== '/v1/messages')
      return { status: 404, body: anthropic.error(404, 'Not found') };
    if (request.headers['anthropic-version'] !== '2023-06-01')
      throw new BadRequest('anthropic-version: header is required');
    const body = parseJson(request, anthropicMessage);
    if (body.model !== 'claude-haiku-4-5' && body.temperature !== undefined)
      throw new BadRequest('`temperature` is deprecated for this model.');
    const [tool] = body.tools ?? [];
    const text = generateOutput(request, tool?.input_schema, body.messages.at(-1)?.content ?? '');
    const answer = tool
      ? { type: 'tool_use', id: 'toolu_stub', name: tool.name, input: INPUT }
      : { type: 'text', text };
    const reasons: Record<string, string> = { refusal: 'refusal', length: 'max_tokens' };
    const asked = JSON.stringify([body.system, body.messages, body.tools]);
    const message = {
      id: 'msg_stub',
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [{ type: 'thinking', thinking: '', signature: 'c3R1Yg==' }, answer],
      stop_reason: reasons[request.behaviour] ?? (tool ? 'tool_use' : 'end_turn'),
      usage: {
        input_tokens: countTokens(asked),
        output_tokens: Math.min(countTokens(text), body.max_tokens),
      },
    };
    // As text, because JSON.stringify would change long numbers.
    const json = JSON.stringify(message).replace(JSON.stringify(INPUT), () => text);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(json) };
  },
};

export const elevenlabs: ProviderFake = {
  readKey: createHeaderReader('xi-api-key'),
  error: (status, message) => ({ detail: { status: `error_${status}`, message } }),
  answer(request) {
    if (request.method !== 'POST' || !/^\/v1\/text-to-speech\/\w{8,64}$/.test(request.path))
      return { status: 404, body: elevenlabs.error(404, 'Not found') };
    if (!/^(mp3|opus|pcm|wav)_\d+(_\d+)?$/.test(request.query.get('output_format') ?? ''))
      throw new BadRequest('output_format: unknown');
    const { text } = parseJson(
      request,
      z.strictObject({
        text: z.string().min(1),
        model_id: z.enum(['eleven_flash_v2_5', 'eleven_multilingual_v2']),
        voice_settings: z.strictObject({ speed: z.number().min(0.7).max(1.2) }).optional(),
      }),
    );
    const headers = { 'content-type': 'audio/mpeg', 'character-cost': String(text.length) };
    return { status: 200, headers, body: tone() };
  },
};
