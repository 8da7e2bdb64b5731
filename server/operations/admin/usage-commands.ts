import { operatorName } from '../../core/trpc/actor';
import { getAccountState, resolveAccountId } from '../../identity/accounts/find-account';
import { seedUsage } from '../../usage/seed-usage';
import { type Flags, formatDollars, UsageError } from './arguments';
import type { Command, CommandContext, CommandResult } from './command';

const DEFAULT_DAYS = 90;
const MAX_DAYS = 365;
const MAX_ROWS = 20_000_000;

export const usageCommands: Command[] = [
  {
    name: 'usage seed',
    about:
      'Fills a personal account with made-up calls and the credit that pays for them, to try out and measure pages. The accounts still reconcile. This cannot be undone.',
    flags: {
      account: { value: 'ID', about: 'the account, acct_…' },
      email: { value: 'ADDRESS', about: "or its owner's email address" },
      rows: { value: 'N', about: 'how many calls', required: true },
      days: { value: 'N', about: `over how many days up to now; ${DEFAULT_DAYS} by default` },
      yes: { about: 'allow it in production' },
    },
    run: seed,
  },
];

async function seed({ runtime, operator }: CommandContext, flags: Flags): Promise<CommandResult> {
  const rows = parseCount(flags, 'rows', MAX_ROWS);
  const days = flags.text('days') === undefined ? DEFAULT_DAYS : parseCount(flags, 'days', MAX_DAYS);
  const account = await getAccountState(runtime, await resolveAccountId(runtime, flags.account()));
  if (runtime.settings.production && !flags.has('yes'))
    return refuse(
      'This gateway runs in production, and made-up usage cannot be removed. Add --yes to confirm.',
    );
  if (account.type !== 'personal') return refuse(`${account.account_id} is not a personal account.`);
  const made = await seedUsage(runtime, operatorName(operator), {
    accountId: account.account_id,
    rows,
    days,
  });
  return {
    lines: [
      `Made up ${made.rows.toLocaleString('en-US')} calls over ${days} days for ${account.account_id} in ${made.seconds.toFixed(1)} s.`,
      `  Roll-ups  ${made.rollups.toLocaleString('en-US')}`,
      `  Cost      ${formatDollars(made.cost_usd)}, covered by granted credit`,
    ],
    json: { account_id: account.account_id, days, ...made },
  };
}

function refuse(why: string): CommandResult {
  return { lines: [`Not done: ${why}`], json: { ok: false, why }, failed: true };
}

function parseCount(flags: Flags, name: string, most: number): number {
  const text = flags.required(name);
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= most) return value;
  throw new UsageError(`--${name} ${text} is not a whole number from 1 to ${most}.`);
}
