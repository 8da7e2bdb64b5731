import type { Shape } from '../../client.js';
import { unwrapData } from '../../responses.js';
import type { Command } from '../command.js';
import { formatColumns } from '../output.js';
import { readIntegerFlag } from '../parse-numbers.js';
import type { Session } from '../session.js';
import { usageError } from '../usage-error.js';

const MAX_OVERLAP_HOURS = 72;
const MAX_DELIVERIES = 100;

type EventType = Shape<'CreateWebhookRequest'>['events'][number];

export const webhooksList: Command = {
  name: 'webhooks list',
  usage: '',
  about: 'List the webhook endpoints of the account',
  words: [0, 0],
  async run(session) {
    const { api } = await session.keyedClient();
    const found = unwrapData(await api.GET('/v1/webhooks', {}));
    const rows = found.webhooks.map(({ id, status, url, events }) => [id, status, url, events.join(',')]);
    await session.output.data(found, () => formatColumns(rows));
    return undefined;
  },
};

export const webhooksCreate: Command = {
  name: 'webhooks create',
  usage: '<url>',
  about: 'Create an endpoint that receives events; its secret is shown only once',
  words: [1, 1],
  flags: {
    event: { value: 'TYPE', about: 'an event type to send, such as job.completed', repeatable: true },
    description: { value: 'TEXT', about: 'a note for yourself' },
  },
  async run(session, args) {
    const [url = ''] = args.words;
    const events = args.texts('event') as EventType[];
    if (events.length === 0)
      throw usageError('--event is missing.', 'Use --event job.completed; repeat it for more types.');
    const description = args.text('description');
    const { api } = await session.keyedClient();
    const body = { url, events, ...(description !== undefined && { description }) };
    await showSecret(session, unwrapData(await api.POST('/v1/webhooks', { body })));
    return undefined;
  },
};

export const webhooksUpdate: Command = {
  name: 'webhooks update',
  usage: '<endpoint id>',
  about: 'Change, disable or enable an endpoint',
  words: [1, 1],
  flags: {
    url: { value: 'URL', about: 'where events are sent' },
    event: { value: 'TYPE', about: 'replaces the event types; repeat it for more', repeatable: true },
    description: { value: 'TEXT', about: 'a note for yourself' },
    disable: { about: 'send nothing more' },
    enable: { about: 'send events again' },
  },
  async run(session, args) {
    const [id = ''] = args.words;
    if (args.on('enable') && args.on('disable'))
      throw usageError('--enable cannot be combined with --disable.', 'Use one of them.');
    const url = args.text('url');
    const description = args.text('description');
    const events = args.texts('event') as EventType[];
    const body = {
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(events.length > 0 && { events }),
      ...(args.on('enable') && { enabled: true }),
      ...(args.on('disable') && { enabled: false }),
    };
    const { api } = await session.keyedClient();
    const changed = unwrapData(await api.PATCH('/v1/webhooks/{id}', { params: { path: { id } }, body }));
    await session.output.data(changed, () => `${changed.id} is ${changed.status}.`);
    return undefined;
  },
};

export const webhooksDelete: Command = {
  name: 'webhooks delete',
  usage: '<endpoint id>',
  about: 'Delete an endpoint with its deliveries',
  words: [1, 1],
  async run(session, { words: [id = ''] }) {
    const { api } = await session.keyedClient();
    const deleted = unwrapData(await api.DELETE('/v1/webhooks/{id}', { params: { path: { id } } }));
    await session.output.data(deleted, () => `Deleted ${id}.`);
    return undefined;
  },
};

export const webhooksRotate: Command = {
  name: 'webhooks rotate',
  usage: '<endpoint id>',
  about: 'Replace the secret of an endpoint; the previous one also signs for a while',
  words: [1, 1],
  flags: {
    overlap: { value: 'HOURS', about: 'how long the previous secret also signs (default 24, at most 72)' },
  },
  async run(session, args) {
    const [id = ''] = args.words;
    const overlap = readIntegerFlag(args, 'overlap', 0, MAX_OVERLAP_HOURS);
    const body = overlap === undefined ? {} : { overlap_hours: overlap };
    const { api } = await session.keyedClient();
    const rotated = await api.POST('/v1/webhooks/{id}/rotate-secret', { params: { path: { id } }, body });
    await showSecret(session, unwrapData(rotated));
    return undefined;
  },
};

export const webhooksTest: Command = {
  name: 'webhooks test',
  usage: '<endpoint id>',
  about: 'Send a test event to an endpoint',
  words: [1, 1],
  async run(session, { words: [id = ''] }) {
    const { api } = await session.keyedClient();
    const sent = unwrapData(await api.POST('/v1/webhooks/{id}/test', { params: { path: { id } } }));
    await session.output.data(
      sent,
      () => `Queued ${sent.id}. Its outcome: tool-gateway webhooks deliveries ${id}`,
    );
    return undefined;
  },
};

export const webhooksDeliveries: Command = {
  name: 'webhooks deliveries',
  usage: '<endpoint id> [delivery id]',
  about: 'List the deliveries of an endpoint, or show one with its requests and responses',
  words: [1, 2],
  flags: {
    state: { value: 'STATE', about: 'only these: pending, delivered or failed' },
    limit: { value: 'N', about: 'at most this many (default 50, at most 100)' },
    cursor: { value: 'CURSOR', about: 'next_cursor of the previous page' },
  },
  async run(session, args) {
    const [id = '', deliveryId] = args.words;
    if (deliveryId !== undefined) return await showDelivery(session, id, deliveryId);
    const { api } = await session.keyedClient();
    const state = args.text('state') as Shape<'WebhookDelivery'>['state'] | undefined;
    const limit = readIntegerFlag(args, 'limit', 1, MAX_DELIVERIES);
    const cursor = args.text('cursor');
    const query = {
      ...(state !== undefined && { state }),
      ...(limit !== undefined && { limit }),
      ...(cursor !== undefined && { cursor }),
    };
    const found = unwrapData(
      await api.GET('/v1/webhooks/{id}/deliveries', { params: { path: { id }, query } }),
    );
    const rows = found.deliveries.map((each) => [
      each.id,
      each.state,
      each.type,
      String(each.attempts),
      each.last_error ?? String(each.last_status ?? ''),
    ]);
    await session.output.data(found, () => formatColumns(rows));
    return undefined;
  },
};

export const webhooksReplay: Command = {
  name: 'webhooks replay',
  usage: '<endpoint id> [delivery id]',
  about: 'Send a delivery again, or all failed ones',
  words: [1, 2],
  async run(session, { words: [id = '', deliveryId] }) {
    const { api } = await session.keyedClient();
    if (deliveryId === undefined) {
      const replayed = await api.POST('/v1/webhooks/{id}/replay-failed', { params: { path: { id } } });
      const done = unwrapData(replayed);
      await session.output.data(done, () => `${done.replayed} failed deliveries are sent again.`);
      return undefined;
    }
    const path = { id, delivery_id: deliveryId };
    const sent = unwrapData(
      await api.POST('/v1/webhooks/{id}/deliveries/{delivery_id}/replay', { params: { path } }),
    );
    await session.output.data(sent, () => `${sent.id} is sent again.`);
    return undefined;
  },
};

export const webhooksSecret: Command = {
  name: 'webhooks secret',
  usage: '',
  about: 'Print the secret that signs the webhooks of calls (--webhook) of this key',
  words: [0, 0],
  async run(session) {
    const { api } = await session.keyedClient();
    const found = unwrapData(await api.GET('/v1/webhooks/secret', {}));
    await session.output.data(found, () => found.secret);
    return undefined;
  },
};

async function showDelivery(session: Session, id: string, deliveryId: string): Promise<undefined> {
  const { api } = await session.keyedClient();
  const path = { id, delivery_id: deliveryId };
  const found = unwrapData(await api.GET('/v1/webhooks/{id}/deliveries/{delivery_id}', { params: { path } }));
  await session.output.data(found, () => JSON.stringify(found, null, 2));
}

async function showSecret(session: Session, made: Shape<'WebhookEndpointWithSecret'>): Promise<void> {
  await session.output.data(made, () => made.secret);
  if (!session.output.json) session.output.note(`${made.id}: save the secret now, it is not shown again.`);
}
