import { randomUUID } from 'node:crypto';
import { unwrapData } from '../../responses.js';
import type { Command } from '../command.js';
import { formatColumns, formatDollars } from '../output.js';
import { parseAmount } from '../parse-numbers.js';

export const keysList: Command = {
  name: 'keys list',
  usage: '',
  about: 'List the keys of the account, masked',
  words: [0, 0],
  async run(session) {
    const { api } = await session.keyedClient();
    const found = unwrapData(await api.GET('/v1/keys', {}));
    const rows = found.keys.map(({ id, key_prefix, status, credits, name }) => [
      id,
      key_prefix,
      status,
      credits === null ? 'no limit' : formatDollars(credits),
      name,
    ]);
    await session.output.data(found, () => formatColumns(rows));
    return undefined;
  },
};

export const keysCreate: Command = {
  name: 'keys create',
  usage: '',
  about: 'Create a key; its secret is shown only once',
  words: [0, 0],
  flags: {
    name: { value: 'TEXT', about: 'a name that says what the key is for' },
    credits: { value: 'DOLLARS', about: 'total spending limit; without it, the balance of the account' },
  },
  async run(session, args) {
    const credits = args.text('credits');
    const name = args.text('name');
    const body = {
      ...(name !== undefined && { name }),
      ...(credits !== undefined && { credits: parseAmount(credits, '--credits') }),
    };
    const { api } = await session.keyedClient();
    const headers = { 'Idempotency-Key': randomUUID() };
    const made = unwrapData(await api.POST('/v1/keys', { body, headers }));
    await session.output.data(made, () => made.secret ?? made.key_prefix);
    if (!session.output.json) session.output.note(`${made.id}: save the key now, it is not shown again.`);
    return undefined;
  },
};

export const keysRevoke: Command = {
  name: 'keys revoke',
  usage: '<key id>',
  about: 'Revoke a key; it stops working at once',
  words: [1, 1],
  async run(session, { words: [id = ''] }) {
    const { api } = await session.keyedClient();
    const revoked = unwrapData(await api.DELETE('/v1/keys/{id}', { params: { path: { id } } }));
    await session.output.data(revoked, () => `Revoked ${id}.`);
    return undefined;
  },
};
