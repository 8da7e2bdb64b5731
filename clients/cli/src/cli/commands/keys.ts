import { randomUUID } from 'node:crypto';
import { unwrapData } from '../../responses.js';
import type { Command } from '../command.js';
import { REMOVED, RULE_FLAGS, readRemoved, readRules } from '../key-rules.js';
import { formatColumns, formatDollars } from '../output.js';
import { parseAmount, parseDuration } from '../parse-numbers.js';
import type { Session } from '../session.js';

export const keysList: Command = {
  name: 'keys list',
  usage: '',
  about: 'List the keys of the account, masked',
  words: [0, 0],
  async run(session) {
    const { api } = await session.keyedClient();
    const found = unwrapData(await api.GET('/v1/keys', {}));
    const rows = found.keys.map(({ id, key_prefix, status, credits, name, expires_at, tags }) => [
      id,
      key_prefix,
      status,
      credits === null ? 'no limit' : formatDollars(credits),
      expires_at === null ? '' : `expires ${expires_at.slice(0, 16)}Z`,
      tags.join(','),
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
    credits: {
      value: 'DOLLARS',
      about: 'credit limit: the most it may spend in total; without it, the balance of the account',
    },
    ...RULE_FLAGS,
  },
  async run(session, args) {
    const credits = args.text('credits');
    const name = args.text('name');
    const body = {
      ...(name !== undefined && { name }),
      ...(credits !== undefined && { credits: parseAmount(credits, '--credits') }),
      ...readRules(args),
    };
    const { api } = await session.keyedClient();
    const headers = { 'Idempotency-Key': randomUUID() };
    const made = unwrapData(await api.POST('/v1/keys', { body, headers }));
    await printSecret(session, made);
    return undefined;
  },
};

export const keysUpdate: Command = {
  name: 'keys update',
  usage: '<key id>',
  about: 'Change the name, tags and rules of a key, from its next request on',
  details: 'A list replaces the previous one. A key cannot change its own rules.',
  words: [1, 1],
  flags: {
    name: { value: 'TEXT', about: 'a name that says what the key is for' },
    ...RULE_FLAGS,
    remove: {
      value: Object.keys(REMOVED).join('|'),
      about: 'remove a rule; may be repeated',
      repeatable: true,
    },
  },
  async run(session, args) {
    const [id = ''] = args.words;
    const name = args.text('name');
    const body = { ...(name !== undefined && { name }), ...readRules(args), ...readRemoved(args) };
    const { api } = await session.keyedClient();
    const changed = unwrapData(await api.PATCH('/v1/keys/{id}', { params: { path: { id } }, body }));
    await session.output.data(changed, () => `Changed ${id}.`);
    return undefined;
  },
};

export const keysRotate: Command = {
  name: 'keys rotate',
  usage: '<key id>',
  about: 'Give a key a new secret, shown only once; its id, history and limits stay',
  words: [1, 1],
  flags: {
    grace: { value: 'DURATION', about: 'how long the current secret works on, such as 12h; at most 7d' },
  },
  async run(session, args) {
    const [id = ''] = args.words;
    const grace = args.text('grace');
    const body = { grace_seconds: grace === undefined ? 0 : parseDuration(grace, '--grace') };
    const { api } = await session.keyedClient();
    const headers = { 'Idempotency-Key': randomUUID() };
    const rotated = unwrapData(
      await api.POST('/v1/keys/{id}/rotate', { params: { path: { id } }, body, headers }),
    );
    await printSecret(session, rotated);
    return undefined;
  },
};

/** Prints the secret of a new or rotated key. */
async function printSecret(session: Session, key: { id: string; key_prefix: string; secret?: string }) {
  await session.output.data(key, () => key.secret ?? key.key_prefix);
  if (!session.output.json) session.output.note(`${key.id}: save the key now, it is not shown again.`);
}

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
