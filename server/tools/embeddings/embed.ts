import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { defineSkill } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import {
  costPerMillion,
  EMBEDDING_PRICES,
  type EmbeddingModelName,
  providerPrice,
} from '../sdk/provider-prices';
import { type ProviderRequest, requestJson, unsupportedResponse } from '../sdk/provider-request';
import { createScratchFile } from '../sdk/scratch-files';
import type { CallFiles } from '../sdk/skill-context';

const TIME_LIMIT_MS = 60_000;
const MAX_TEXTS = 256;
/** Below the model's limit of 8,192 tokens in most languages. */
const MAX_TEXT_CHARS = 30_000;
/** In total; OpenAI accepts 300,000 tokens per request. */
const MAX_ALL_CHARS = 600_000;
/** Larger results are returned as a file. */
const MAX_INLINE_NUMBERS = 32_768;
/** `-0.0123456789,`; the file adds little to that. */
const LINE_BYTES_A_NUMBER = 14;
/** Per request: decoding one megabyte of base64 takes little time; four would block other calls. */
const MAX_NUMBERS_A_REQUEST = 131_072;
const MODELS = Object.keys(EMBEDDING_PRICES) as [EmbeddingModelName, ...EmbeddingModelName[]];
const DIMENSIONS = { 'text-embedding-3-small': 1_536, 'text-embedding-3-large': 3_072 } as const;

const input = z
  .object({
    texts: z
      .array(z.string().min(1).max(MAX_TEXT_CHARS))
      .min(1)
      .max(MAX_TEXTS)
      .refine(
        (texts) => texts.reduce((sum, text) => sum + text.length, 0) <= MAX_ALL_CHARS,
        'The texts exceed 600,000 characters in total. Send fewer at a time.',
      )
      .describe('1 to 256 texts of at most 30,000 characters each, 600,000 in total.'),
    model: z
      .enum(MODELS)
      .default('text-embedding-3-small')
      .describe(
        'text-embedding-3-small (1,536 numbers, the default) or text-embedding-3-large (3,072 numbers).',
      ),
    dimensions: z
      .int()
      .min(16)
      .max(3_072)
      .optional()
      .describe('Length of the vectors, from 16 up to that of the model, which is the default.'),
  })
  .refine(({ model, dimensions = 0 }) => dimensions <= DIMENSIONS[model], {
    path: ['dimensions'],
    message:
      'text-embedding-3-small supports at most 1,536 dimensions. Use fewer, or text-embedding-3-large.',
  });

const output = z.object({
  embeddings: z
    .array(z.array(z.number()))
    .nullable()
    .describe('One vector for each text, in the same order; null if they are in the file.'),
  file: assetOutput
    .nullable()
    .describe(
      'A file of JSON Lines with one vector a line if there are more than 32,768 numbers, otherwise null.',
    ),
  model: z.string().describe('The model.'),
  dimensions: z.int().describe('Length of each vector.'),
  usage: z
    .object({ input_tokens: z.int().describe('Input tokens as counted by the provider.') })
    .describe('Usage as reported by the provider.'),
});

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.string() })),
  usage: z.object({ prompt_tokens: z.number().nonnegative() }),
});

type Request = z.infer<typeof input>;
interface Usage {
  model: EmbeddingModelName;
  inputTokens: number;
}

export const embed = defineSkill<Request, z.infer<typeof output>, Usage>({
  name: 'embed',
  displayName: 'Embed texts',
  keywords: 'vector vectors semantic search similarity similar sentences nearest neighbours rag clustering',
  description:
    'Turns texts into embedding vectors by OpenAI: lists of numbers that are close for texts of similar meaning. For semantic search, finding duplicates, grouping, recommendations and retrieval (RAG). Takes 1 to 256 texts and optionally a model and shorter vectors. Priced by the tokens that the provider counts.',
  input,
  output,
  returns: 'One vector for each text, in their order; large results as a file of JSON Lines.',
  examples: [
    {
      description: 'Two sentences as short vectors',
      input: { texts: ['The cat sleeps on the sofa.', 'A kitten naps on the couch.'], dimensions: 256 },
    },
  ],
  price: providerPrice<Request, Usage, typeof EMBEDDING_PRICES>({
    unit: '1,000 words',
    typicalMicrousd: costPerMillion(1_400, EMBEDDING_PRICES['text-embedding-3-small']),
    costFields: ['texts', 'model'],
    rates: EMBEDDING_PRICES,
    ratesFor: ({ model }) => [model],
    // A text never has more tokens than bytes.
    most: ({ texts, model }, rates) =>
      costPerMillion(
        texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
        rates[model],
      ),
    cost: ({ model, inputTokens }, rates) => costPerMillion(inputTokens, rates[model]),
  }),
  requirements: ['openai'],
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 2 },
  async run(context) {
    const { texts, model, dimensions = DIMENSIONS[model] } = context.input;
    const inline = texts.length * dimensions <= MAX_INLINE_NUMBERS;
    if (!inline) await context.files.ensureRoom(texts.length * dimensions * LINE_BYTES_A_NUMBER);
    const vectors: Float32Array[] = [];
    let inputTokens = 0;
    const step = Math.max(1, Math.floor(MAX_NUMBERS_A_REQUEST / dimensions));
    for (let from = 0; from < texts.length; from += step) {
      const some = texts.slice(from, from + step);
      const { answer } = await requestJson(context, requestFor({ model, dimensions }, some), answerSchema);
      const those = parseVectors(answer.data, some.length, dimensions);
      if (!those) throw unsupportedResponse(context.provider);
      vectors.push(...those);
      inputTokens += answer.usage.prompt_tokens;
      await nextTurn();
    }
    return {
      output: {
        embeddings: inline ? vectors.map((vector) => Array.from(vector, shortest)) : null,
        file: inline ? null : await saveLines(context.files, vectors),
        model,
        dimensions,
        usage: { input_tokens: inputTokens },
      },
      usage: { model, inputTokens },
    };
  },
});

function requestFor(
  { model, dimensions }: { model: EmbeddingModelName; dimensions: number },
  texts: readonly string[],
): ProviderRequest {
  const json = { model, input: texts, dimensions, encoding_format: 'base64' };
  return { path: '/v1/embeddings', json, timeLimitMs: TIME_LIMIT_MS, repeatable: true };
}

/** Returns the vectors in the order of the texts; null if one is missing or has another length. */
function parseVectors(
  data: readonly { index: number; embedding: string }[],
  count: number,
  dimensions: number,
): Float32Array[] | null {
  const byIndex = new Map<number, Float32Array>();
  for (const { index, embedding } of data) {
    const bytes = Uint8Array.from(Buffer.from(embedding, 'base64'));
    if (bytes.byteLength !== dimensions * Float32Array.BYTES_PER_ELEMENT) return null;
    byIndex.set(index, new Float32Array(bytes.buffer));
  }
  const vectors: Float32Array[] = [];
  for (let index = 0; index < count; index += 1) {
    const vector = byIndex.get(index);
    if (!vector?.every(Number.isFinite)) return null;
    vectors.push(vector);
  }
  return vectors;
}

/** A 32-bit float has nine significant digits; printed as a double it would have seventeen. */
function shortest(float: number): number {
  return Number(float.toPrecision(9));
}

async function saveLines(files: CallFiles, vectors: readonly Float32Array[]) {
  const path = await files.scratch('jsonl');
  const lines = async function* () {
    for (const vector of vectors) {
      yield `${JSON.stringify(Array.from(vector, shortest))}\n`;
      // Serializing hundreds of thousands of numbers at once would block other calls.
      await nextTurn();
    }
  };
  const file = await createScratchFile(path);
  await pipeline(Readable.from(lines()), file);
  return await files.save({ path }, { filename: 'embeddings.jsonl', contentType: 'application/jsonl' });
}
