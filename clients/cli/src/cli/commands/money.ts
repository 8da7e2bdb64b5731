import { unwrapData } from '../../responses.js';
import type { Command } from '../command.js';
import { formatColumns, formatDollars } from '../output.js';
import { parseAmount, parseInteger, readIntegerFlag } from '../parse-numbers.js';
import { usageError } from '../usage-error.js';

const MAX_RECORDS = 500;
const MAX_RATING = 5;
const PERIODS = ['day', 'week', 'month', 'all'] as const;

export const balance: Command = {
  name: 'balance',
  usage: '',
  about: 'Show the available credit',
  words: [0, 0],
  async run(session) {
    const { api } = await session.keyedClient();
    const found = unwrapData(await api.GET('/v1/billing/balance', {}));
    const accounts = found.accounts.map(({ slug, type, name, available_usd: available }) => [
      slug ?? type,
      formatDollars(available),
      name,
    ]);
    await session.output.data(found, () =>
      [
        `${formatDollars(found.available_usd)} available (${found.plan})`,
        formatColumns(accounts),
        found.top_up_hint,
      ].join('\n'),
    );
    return undefined;
  },
};

export const me: Command = {
  name: 'me',
  usage: '',
  about: 'Show the key, its account, its limits and what it may still spend',
  words: [0, 0],
  async run(session) {
    const { api } = await session.keyedClient();
    const found = unwrapData(await api.GET('/v1/me', {}));
    const { account, key, limits, allowances } = found;
    const { key_credits_usd: credits, monthly_limit_usd: monthly, storage } = allowances;
    await session.output.data(found, () =>
      formatColumns([
        ['account', `${account.name} (${found.plan}), ${account.id}`],
        ['key', `${key.name}, ${key.key_prefix}${found.restricted ? ', restricted' : ''}`],
        ['available', formatDollars(allowances.available_usd)],
        ['credit limit', credits === null ? 'none' : `${formatDollars(credits)} left`],
        [
          'this month',
          `${formatDollars(allowances.spent_this_month_usd)} of ${monthly === null ? 'no limit' : formatDollars(monthly)}`,
        ],
        ...limits.windows.map(({ name, remaining, limit, reset_seconds: seconds }) => [
          `calls per ${name}`,
          `${remaining} of ${limit} left, resets in ${seconds} s`,
        ]),
        ['at once', `${limits.concurrent.remaining} of ${limits.concurrent.limit} left`],
        ['storage', `${storage.used_bytes} of ${storage.quota_bytes} bytes in ${storage.files} files`],
      ]),
    );
    return undefined;
  },
};

export const usage: Command = {
  name: 'usage',
  usage: '',
  about: 'Show calls and their cost',
  words: [0, 0],
  flags: {
    period: {
      value: 'day|week|month|all',
      about: 'the last 24 hours, 7 days, 30 days (the default), or everything',
    },
    history: { about: 'list individual calls, newest first' },
    limit: { value: 'N', about: 'with --history: at most N calls' },
    cursor: { value: 'TEXT', about: 'with --history: continue from next_cursor' },
    'key-id': { value: 'ID', about: 'only calls made with this key' },
    tag: { value: 'TAG', about: 'only calls of keys with this tag' },
  },
  async run(session, args) {
    const { api } = await session.keyedClient();
    const key_id = args.text('key-id');
    const tag = args.text('tag');
    const which = { ...(key_id !== undefined && { key_id }), ...(tag !== undefined && { tag }) };
    if (args.on('history')) {
      const limit = readIntegerFlag(args, 'limit', 1, MAX_RECORDS);
      const cursor = args.text('cursor');
      const query = {
        ...which,
        ...(limit !== undefined && { limit }),
        ...(cursor !== undefined && { cursor }),
      };
      const found = unwrapData(await api.GET('/v1/usage/history', { params: { query } }));
      const rows = found.records.map((record) => [
        record.created_at,
        `${record.tool}.${record.skill}`,
        record.status,
        formatDollars(record.cost_usd),
        record.key_name ?? '',
      ]);
      await session.output.data(found, () => formatColumns(rows));
      return undefined;
    }
    const period = PERIODS.find((known) => known === (args.text('period') ?? 'month'));
    if (!period)
      throw usageError(`--period ${args.text('period')} is unknown.`, `Use one of ${PERIODS.join(', ')}.`);
    const query = { period, ...which };
    const found = unwrapData(await api.GET('/v1/usage', { params: { query } }));
    const tools = found.by_tool.map((line) => [
      `  ${line.tool}`,
      `${line.calls} calls`,
      formatDollars(line.cost_usd),
    ]);
    await session.output.data(found, () =>
      [`${found.calls} calls, ${found.failed} failed, ${formatDollars(found.cost_usd)}`, formatColumns(tools)]
        .filter(Boolean)
        .join('\n'),
    );
    return undefined;
  },
};

export const topup: Command = {
  name: 'topup',
  usage: '<dollars>',
  about: 'Get the URL of a page where a person can buy credit',
  words: [1, 1],
  flags: {
    billing: { value: 'ACCOUNT', about: 'the account to credit: personal, team, or the slug of a team' },
  },
  async run(session, args) {
    const amount_usd = parseAmount(args.words[0] ?? '', 'The amount');
    const { api } = await session.keyedClient();
    const billing = args.text('billing');
    const body = { amount_usd, ...(billing !== undefined && { billing }) };
    const page = unwrapData(await api.POST('/v1/billing/checkout', { body }));
    await session.output.data(
      page,
      () =>
        `${page.url}\n${formatDollars(page.total_usd)} for ${formatDollars(page.credit_usd)} of credit (fee ${formatDollars(page.fee_usd)})`,
    );
    return undefined;
  },
};

export const review: Command = {
  name: 'review',
  usage: '<tool> <rating 1-5> [text]',
  about: 'Rate a tool; repeat to change your review',
  words: [2, 3],
  async run(session, { words: [tool = '', rating = '', text] }) {
    const body = {
      tool,
      rating: parseInteger(rating, 'The rating', 1, MAX_RATING),
      ...(text !== undefined && { review: text }),
    };
    const { api } = await session.keyedClient();
    const kept = unwrapData(await api.POST('/v1/reviews', { body }));
    await session.output.data(
      kept,
      () => `${tool}: ${kept.rating} of ${MAX_RATING}${kept.verified ? ', verified' : ''}`,
    );
    return undefined;
  },
};
