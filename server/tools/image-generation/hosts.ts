import { z } from 'zod';
import type { ImageModelName } from '../sdk/provider-prices';
import { providerName, quoteProvider } from '../sdk/provider-refusals';
import { type ProviderRequest, type Requester, requestJson } from '../sdk/provider-request';
import { InputError, SkillError } from '../sdk/skill-error';

export const IMAGE_PROVIDERS = ['fal', 'replicate'] as const;
export type ImageProviderName = (typeof IMAGE_PROVIDERS)[number];

export const ASPECTS = ['square', 'portrait', 'tall', 'landscape', 'wide'] as const;
const FAL_SIZES = {
  square: 'square_hd',
  portrait: 'portrait_4_3',
  tall: 'portrait_16_9',
  landscape: 'landscape_4_3',
  wide: 'landscape_16_9',
} as const;
const REPLICATE_RATIOS = {
  square: '1:1',
  portrait: '3:4',
  tall: '9:16',
  landscape: '4:3',
  wide: '16:9',
} as const;

export interface ImageRequest {
  readonly prompt: string;
  readonly aspect: (typeof ASPECTS)[number];
  readonly count: number;
  readonly model: ImageModelName;
  readonly seed?: number | undefined;
  readonly format: 'png' | 'jpeg';
}

interface Picture {
  readonly url: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** The status of an order; `done` includes its pictures. */
export type OrderStatus = { state: 'waiting' | 'working' } | { state: 'done'; pictures: readonly Picture[] };

/** How to order pictures from one provider, poll the order and cancel it. */
export interface ImageHost {
  /** @returns the id of the order */
  order(asker: Requester, wish: ImageRequest): Promise<string>;
  /** @throws {SkillError} if the order failed at the provider */
  poll(asker: Requester, id: string, wish: ImageRequest): Promise<OrderStatus>;
  cancelRequest(id: string, wish: ImageRequest): { path: string; method: 'PUT' | 'POST' };
}

const ORDER_TIME_LIMIT_MS = 30_000;
const POLL_TIME_LIMIT_MS = 30_000;
// Repeating an order could be charged twice; polling is safe to repeat.
const orderOptions = {
  timeLimitMs: ORDER_TIME_LIMIT_MS,
  repeatable: false,
} satisfies Partial<ProviderRequest>;
const pollOptions = { timeLimitMs: POLL_TIME_LIMIT_MS, repeatable: true } satisfies Partial<ProviderRequest>;
/** Restricted, because it becomes part of a path. */
const orderId = z.string().regex(/^[\w-]{1,100}$/);
const pictureUrl = z.url({ protocol: /^https?$/ });

const FAL_MODELS: Record<ImageModelName, string> = { 'flux-schnell': 'schnell', 'flux-dev': 'dev' };
/** fal addresses an order by the app, without the model's sub-path. */
const falOrder = (id: string) => `/fal-ai/flux/requests/${id}`;

const fal: ImageHost = {
  async order(asker, { prompt, aspect, count, model, seed, format }) {
    const json = { prompt, image_size: FAL_SIZES[aspect], num_images: count, output_format: format, seed };
    const { answer } = await requestJson(
      asker,
      { ...orderOptions, path: `/fal-ai/flux/${FAL_MODELS[model]}`, json },
      z.object({ request_id: orderId }),
    );
    return answer.request_id;
  },
  async poll(asker, id) {
    const { answer } = await requestJson(
      asker,
      { ...pollOptions, path: `${falOrder(id)}/status` },
      z.object({ status: z.enum(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']), error: z.unknown().optional() }),
    );
    if (answer.status === 'IN_QUEUE') return { state: 'waiting' };
    if (answer.status === 'IN_PROGRESS') return { state: 'working' };
    if (answer.error) throw failed(asker, JSON.stringify({ error: answer.error }));
    const size = z.number().positive().nullish();
    const result = await requestJson(
      asker,
      { ...pollOptions, path: falOrder(id) },
      z.object({ images: z.array(z.object({ url: pictureUrl, width: size, height: size })).min(1) }),
    );
    const pictures = result.answer.images.map(({ url, width, height }) => ({
      url,
      width: width ?? undefined,
      height: height ?? undefined,
    }));
    return { state: 'done', pictures };
  },
  cancelRequest: (id) => ({ path: `${falOrder(id)}/cancel`, method: 'PUT' }),
};

const REPLICATE_FORMATS = { png: 'png', jpeg: 'jpg' } as const;
const prediction = z.object({
  id: orderId,
  status: z.enum(['starting', 'processing', 'succeeded', 'failed', 'canceled', 'aborted']),
  output: z.union([pictureUrl, z.array(pictureUrl)]).nullish(),
  error: z.unknown().optional(),
});

const replicate: ImageHost = {
  async order(asker, { prompt, aspect, count, model, seed, format }) {
    const input = {
      prompt,
      aspect_ratio: REPLICATE_RATIOS[aspect],
      num_outputs: count,
      output_format: REPLICATE_FORMATS[format],
      seed,
    };
    const path = `/v1/models/black-forest-labs/${model}/predictions`;
    const { answer } = await requestJson(asker, { ...orderOptions, path, json: { input } }, prediction);
    return answer.id;
  },
  async poll(asker, id) {
    const { answer } = await requestJson(
      asker,
      { ...pollOptions, path: `/v1/predictions/${id}` },
      prediction,
    );
    if (answer.status === 'starting') return { state: 'waiting' };
    if (answer.status === 'processing') return { state: 'working' };
    if (answer.status !== 'succeeded') throw failed(asker, JSON.stringify({ error: answer.error }));
    const urls = typeof answer.output === 'string' ? [answer.output] : (answer.output ?? []);
    return { state: 'done', pictures: urls.map((url) => ({ url })) };
  },
  cancelRequest: (id) => ({ path: `/v1/predictions/${id}/cancel`, method: 'POST' }),
};

/** Phrases by which these providers reject a prompt. */
const REFUSED_PROMPT = /nsfw|safety|policy|sensitive|moderat|inappropriate/i;

function failed({ provider }: Requester, body: string): SkillError {
  const failure = `${providerName(provider)} could not generate the picture (change the prompt, or try again)`;
  const message = quoteProvider(failure, body);
  return REFUSED_PROMPT.test(message) ? new InputError(`prompt: ${message}`) : new SkillError(message);
}

export const imageHosts: Record<ImageProviderName, ImageHost> = { fal, replicate };
