import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcile } from '@/server/money/reconcile/reconcile';
import { tools } from '@/server/tools/registry';
import { type ChannelCase, examples, failures } from '../support/channels/cases';
import type { Caller, Channel, OpenChannel } from '../support/channels/channel';
import { cli } from '../support/channels/cli';
import { mcp } from '../support/channels/mcp';
import { normalizeOutcome } from '../support/channels/normalize-outcome';
import { batch, rest, stream } from '../support/channels/rest';
import { trpc } from '../support/channels/trpc';
import { type Harness, startHarness } from '../support/harness';

// Every channel into the gateway returns the same output and errors, and charges the same.

const CREDIT_MICROUSD = 500_000n;
const COLLECT_MS = 120_000;
const PER_MINUTE = 1_000;

/** The first channel is the reference for the others. */
const CHANNELS: Record<string, OpenChannel> = {
  rest,
  stream,
  batch,
  trpc,
  'mcp 2026-07-28': mcp('2026-07-28'),
  'mcp 2025-11-25': mcp('2025-11-25'),
  cli,
};
const OTHERS = Object.keys(CHANNELS).slice(1);
const named = (title: string) => title;

interface Seen {
  /** Outcomes by case title. */
  outcomes: Map<string, unknown>;
  history: unknown[];
  ledger: unknown[];
  balanceUsd: number;
}

let harness: Harness;
const seen = new Map<string, Seen>();

beforeAll(async () => {
  harness = await startHarness({ role: 'web', listen: true, env: { RATE_PER_MINUTE: String(PER_MINUTE) } });
  await Promise.all(
    Object.entries(CHANNELS).map(async ([name, open]) => seen.set(name, await runAllCases(open))),
  );
}, COLLECT_MS);
afterAll(async () => {
  await harness.close();
});

/** Runs all cases through one channel with a new account; reads the account by REST afterwards. */
async function runAllCases(open: OpenChannel): Promise<Seen> {
  const caller = await harness.person(CREDIT_MICROUSD);
  const channel = await open(harness, caller);
  const outcomes = new Map<string, unknown>();
  try {
    for (const each of [...examples, ...failures]) outcomes.set(each.title, await runCase(channel, each));
    outcomes.set('limit', await limited(channel, caller));
  } finally {
    await channel.close?.();
  }
  return { outcomes, ...(await readBooks(caller)) };
}

async function runCase(channel: Channel, { tool, skill, input }: ChannelCase): Promise<unknown> {
  return await normalizeOutcome(harness, await channel.call({ tool, skill, input }));
}

/** Calls with the per-minute quota of the account's keys used up. */
async function limited(channel: Channel, { accountId }: Caller): Promise<unknown> {
  await harness.runtime.sql`
    update api_keys set window_started_at[1] = now(), window_used[1] = ${PER_MINUTE} where account_id = ${accountId}`;
  return await normalizeOutcome(
    harness,
    await channel.call({ tool: 'math', skill: 'evaluate', input: { expression: '1' } }),
  );
}

/** What the account was charged: calls from the usage history, amounts from the ledger. */
async function readBooks({ key, accountId }: Caller): Promise<Omit<Seen, 'outcomes'>> {
  const { records } = (await harness.request('GET', '/v1/usage/history?limit=500', { key })).body;
  const ledger = await harness.runtime.sql`
    select kind, amount_microusd::text as amount from ledger_entries where account_id = ${accountId} order by id`;
  const { available_usd } = (await harness.request('GET', '/v1/billing/balance', { key })).body;
  return {
    // Records with equal timestamps have no defined order, so sort by content.
    history: records.map(formatRecord).sort(),
    ledger: ledger.map(({ kind, amount }) => `${kind} ${amount}`),
    balanceUsd: available_usd,
  };
}

function formatRecord(record: Record<string, unknown>): string {
  const { tool, skill, status, cost_usd, raw_cost_usd, markup_usd, billing, byok, error_code } = record;
  return JSON.stringify([tool, skill, status, cost_usd, raw_cost_usd, markup_usd, billing, byok, error_code]);
}

function getSeen(channel: string): Seen {
  const found = seen.get(channel);
  if (!found) throw new Error(`No outcomes of the channel ${channel}`);
  return found;
}

describe('REST, the reference for the other channels', () => {
  it('calls every free skill', () => {
    const free = tools.flatMap(({ name, skills }) =>
      skills.filter(({ price }) => price.free).map((skill) => `${name}.${skill.name}`),
    );
    const asked = new Set(examples.map(({ tool, skill }) => `${tool}.${skill}`));
    expect(free.filter((id) => !asked.has(id))).toEqual([]);
    expect(free.length).toBeGreaterThanOrEqual(9);
  });

  it.each(examples)('succeeds for $title', ({ title, tool, skill }) => {
    expect(getSeen('rest').outcomes.get(title)).toMatchObject({
      result: {
        status: 'success',
        output: expect.any(Object),
        meta: { tool, skill },
        usage: { currency: 'USD' },
      },
    });
  });

  it.each(failures)('returns $code for $title', ({ title, code }) => {
    expect(getSeen('rest').outcomes.get(title)).toMatchObject({ error: { code, billed: false } });
  });

  it('names the window of the rate limit that was exceeded', () => {
    expect(getSeen('rest').outcomes.get('limit')).toMatchObject({
      error: { code: 'RATE_LIMIT_EXCEEDED', type: 'rate_limit', limit: 'minute' },
    });
  });

  it('charges for successful calls', () => {
    const { ledger, balanceUsd } = getSeen('rest');
    expect(ledger.length).toBeGreaterThan(1);
    expect(balanceUsd).toBeLessThan(Number(CREDIT_MICROUSD) / 1e6);
  });
});

describe.each(OTHERS.map(named))('%s', (channel) => {
  it.each([...examples, ...failures].map(({ title }) => title))('%s: same outcome as REST', (title) => {
    expect(getSeen(channel).outcomes.get(title)).toEqual(getSeen('rest').outcomes.get(title));
  });

  it('returns the same rate limit error', () => {
    expect(getSeen(channel).outcomes.get('limit')).toEqual(getSeen('rest').outcomes.get('limit'));
  });

  it('has the same ledger entries, balance and history', () => {
    const { history, ledger, balanceUsd } = getSeen('rest');
    const own = getSeen(channel);
    expect(own.ledger).toEqual(ledger);
    expect(own.balanceUsd).toBe(balanceUsd);
    expect(own.history).toEqual(history);
  });
});

describe('an unclaimed key', () => {
  /** A signed-in person has no unclaimed account, so tRPC is left out. */
  const byKey = Object.entries(CHANNELS).filter(([name]) => name !== 'trpc');

  it('gets the same error and claim link for paid calls on every channel, and may make free calls', async () => {
    const { api_key: key, account_id: accountId } = (await harness.request('POST', '/v1/auth/provision'))
      .body;
    const refused = new Map<string, unknown>();
    for (const [name, open] of byKey) {
      const channel = await open(harness, { key, accountId, userId: '' });
      const paid = await channel.call({ tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.001 } });
      const free = await channel.call({ tool: 'diagnostics', skill: 'echo', input: { message: name } });
      await channel.close?.();
      refused.set(name, await normalizeOutcome(harness, paid));
      expect(free, name).toMatchObject({ result: { output: { message: name }, billed: false } });
    }
    expect(refused.get('rest')).toMatchObject({
      error: { code: 'CLAIM_REQUIRED', claim_url: expect.stringContaining('/claim?token='), billed: false },
    });
    for (const [name, outcome] of refused) expect(outcome, name).toEqual(refused.get('rest'));
  });
});

it('afterwards reconciliation finds no differences', async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});
