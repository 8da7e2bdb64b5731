import { z } from 'zod';
import { BadRequest, type ProviderFake, parseJson, readBearer, type StubRequest } from './exchange';

/** A queued picture, with the number of status polls and whether it was cancelled. */
interface Order {
  readonly id: string;
  readonly count: number;
  readonly behaviour: string;
  readonly width: number;
  readonly height: number;
  polls: number;
  cancelled: boolean;
}

const SIZES: Record<string, [number, number]> = {
  square_hd: [1024, 1024],
  portrait_4_3: [768, 1024],
  portrait_16_9: [576, 1024],
  landscape_4_3: [1024, 768],
  landscape_16_9: [1024, 576],
};

/** Fake image providers: the first poll says queued, the second running, the third done. */
export class FakeImages {
  readonly #orders = new Map<string, Order>();

  /** Ids of the cancelled pictures. */
  get cancelled(): string[] {
    return [...this.#orders.values()].filter((order) => order.cancelled).map(({ id }) => id);
  }

  #order({ behaviour }: StubRequest, count: number, [width, height]: [number, number]): Order {
    const id = `stub-${this.#orders.size + 1}`;
    const order = { id, count, behaviour, width, height, polls: 0, cancelled: false };
    this.#orders.set(id, order);
    return order;
  }

  #find(id: string | undefined): Order {
    const order = this.#orders.get(id ?? '');
    if (!order) throw new BadRequest('No such request');
    return order;
  }

  readonly fal: ProviderFake = {
    readKey: ({ authorization }) => /^Key (\S+)$/.exec(authorization ?? '')?.[1],
    error: (_, message) => ({ detail: message }),
    answer: (request) => {
      const { method, path, filesUrl } = request;
      const [, model, id, act] =
        /^\/fal-ai\/flux(\/schnell|\/dev)?(?:\/requests\/([\w-]+))?(\/\w+)?$/.exec(path) ?? [];
      if (method === 'POST' && model && !id) {
        const body = parseJson(
          request,
          z.strictObject({
            prompt: z.string().min(1),
            image_size: z.enum(Object.keys(SIZES) as [string, ...string[]]),
            num_images: z.int().min(1).max(4),
            output_format: z.enum(['png', 'jpeg']),
            seed: z.int().optional(),
          }),
        );
        const order = this.#order(request, body.num_images, SIZES[body.image_size] ?? [1024, 1024]);
        return { status: 200, body: { status: 'IN_QUEUE', request_id: order.id, queue_position: 0 } };
      }
      // As at fal, requests are addressed under the app, not under its sub-path.
      if (!id || model) return { status: 405, body: { detail: 'Method Not Allowed' } };
      const order = this.#find(id);
      if (method === 'PUT' && act === '/cancel') {
        order.cancelled = true;
        return { status: 202, body: { status: 'CANCELLATION_REQUESTED' } };
      }
      if (method === 'GET' && act === '/status') return { status: 200, body: { status: falStatus(order) } };
      if (method !== 'GET' || act) return { status: 405, body: { detail: 'Method Not Allowed' } };
      if (order.behaviour === 'failed-image')
        return {
          status: 422,
          body: { detail: [{ msg: 'The prompt was flagged', type: 'content_policy_violation' }] },
        };
      const image = {
        url: `${filesUrl}/logo.png`,
        width: order.width,
        height: order.height,
        content_type: 'image/png',
      };
      return { status: 200, body: { images: Array.from({ length: order.count }, () => image), seed: 7 } };
    },
  };

  readonly replicate: ProviderFake = {
    readKey: readBearer,
    error: (status, message) => ({ title: 'Error', detail: message, status }),
    answer: (request) => {
      const { method, path, filesUrl } = request;
      if (
        method === 'POST' &&
        /^\/v1\/models\/black-forest-labs\/flux-(schnell|dev)\/predictions$/.test(path)
      ) {
        const { input } = parseJson(
          request,
          z.strictObject({
            input: z.strictObject({
              prompt: z.string().min(1),
              aspect_ratio: z.enum(['1:1', '3:4', '9:16', '4:3', '16:9']),
              num_outputs: z.int().min(1).max(4),
              output_format: z.enum(['png', 'jpg', 'webp']),
              seed: z.int().optional(),
            }),
          }),
        );
        const { id } = this.#order(request, input.num_outputs, [1024, 1024]);
        return { status: 201, body: { id, status: 'starting', output: null, error: null } };
      }
      const [, id, act] = /^\/v1\/predictions\/([\w-]+)(\/cancel)?$/.exec(path) ?? [];
      if (!id) return { status: 404, body: { detail: 'Not found' } };
      const order = this.#find(id);
      if (act && method === 'POST') {
        order.cancelled = true;
        return { status: 200, body: { id, status: 'canceled' } };
      }
      const status = replicateStatus(order);
      const output = Array.from({ length: order.count }, () => `${filesUrl}/logo.png`);
      const error = status === 'failed' ? 'NSFW content detected' : null;
      return { status: 200, body: { id, status, output: status === 'succeeded' ? output : null, error } };
    },
  };
}

function falStatus(order: Order): string {
  order.polls += 1;
  if (order.behaviour === 'never-done' || order.polls === 2) return 'IN_PROGRESS';
  return order.polls === 1 ? 'IN_QUEUE' : 'COMPLETED';
}

function replicateStatus(order: Order): string {
  order.polls += 1;
  if (order.cancelled) return 'canceled';
  if (order.behaviour === 'never-done' || order.polls === 2) return 'processing';
  if (order.polls === 1) return 'starting';
  return order.behaviour === 'failed-image' ? 'failed' : 'succeeded';
}
