import { operatorName } from '../../core/trpc/actor';
import { type AccountState, getAccountState, resolveAccountId } from '../../identity/accounts/find-account';
import { setFrozen } from '../../identity/accounts/freeze-account';
import { getAdminCommand } from '../../kit/admin-command';
import { newId } from '../../kit/ids';
import { usdFromMicrousd } from '../../kit/money';
import { createPerson } from '../../lifecycle/create-person';
import { grantAccount } from '../../money/billing/grant-account';
import { type Flags, formatDollars, UsageError } from './arguments';
import { ACCOUNT_FLAGS, type Command, type CommandContext, type CommandResult } from './command';

export const accountCommands: Command[] = [
  {
    name: 'account create',
    about:
      'Creates a user with an account and an API key; an existing user gets another key, and the credit.',
    flags: {
      email: { value: 'ADDRESS', about: "the user's email address", required: true },
      name: { value: 'NAME', about: "the user's display name" },
      'credit-usd': { value: 'USD', about: 'initial credit' },
    },
    run: createAccount,
  },
  {
    name: 'account credit',
    about: 'Grants an account free credit.',
    flags: {
      ...ACCOUNT_FLAGS,
      'amount-usd': { value: 'USD', about: 'the amount', required: true },
      memo: { value: 'TEXT', about: 'the reason, stored in the ledger' },
      ref: {
        value: 'TEXT',
        about: 'an idempotency key: the same one grants credit only once',
      },
    },
    run: creditAccount,
  },
  {
    name: 'account freeze',
    about: "Refuses an account's requests from now on; running calls are finished.",
    flags: { ...ACCOUNT_FLAGS, reason: { value: 'TEXT', about: 'the reason, stored with the account' } },
    run: (context, flags) => freeze(context, flags, true),
  },
  {
    name: 'account unfreeze',
    about: 'Unfreezes an account.',
    flags: { ...ACCOUNT_FLAGS },
    run: (context, flags) => freeze(context, flags, false),
  },
  {
    name: 'account show',
    about: 'Shows an account.',
    flags: { ...ACCOUNT_FLAGS },
    run: async ({ runtime }, flags) =>
      showState(await getAccountState(runtime, await resolveAccountId(runtime, flags.account()))),
  },
];

async function createAccount({ runtime, operator }: CommandContext, flags: Flags): Promise<CommandResult> {
  const email = flags.email();
  if (email === undefined) throw new UsageError('--email is missing.');
  const credit = flags.amount('credit-usd') ?? 0n;
  const person = { email, name: flags.text('name'), credit };
  const { accountId, created, key } = await createPerson(runtime, operatorName(operator), person);
  const { operatorEmail } = runtime.settings;
  return {
    lines: [
      created ? `Created an account for ${email}.` : `${email} has an account: it got another key.`,
      '',
      `  Account  ${accountId}`,
      `  API key  ${key.secret}   (shown this once)`,
      `  Credit   ${formatDollars(credit)} granted now`,
      `  Sign in  ${getAdminCommand()} sign-in-link --email ${email}`,
      ...(email === operatorEmail
        ? []
        : ['', `This is not the account of the operator, ${operatorEmail}, who has the first sign-in link.`]),
    ],
    json: {
      account_id: accountId,
      api_key: key.secret,
      key_id: key.id,
      email,
      credit_usd: usdFromMicrousd(credit),
      created,
    },
  };
}

async function creditAccount({ runtime, operator }: CommandContext, flags: Flags): Promise<CommandResult> {
  const wanted = flags.account();
  const amount = flags.amount('amount-usd') ?? 0n;
  if (amount <= 0n) throw new UsageError('--amount-usd must be above 0.');
  const accountId = await resolveAccountId(runtime, wanted);
  const ref = flags.text('ref') ?? newId('ledgerEntry');
  const memo = flags.text('memo') ?? 'Granted by the operator';
  const granted = await grantAccount(runtime, operatorName(operator), { accountId, amount, ref, memo });
  const { balance_usd } = await getAccountState(runtime, accountId);
  return {
    lines: [
      granted
        ? `Granted ${formatDollars(amount)} to ${accountId}.`
        : `Nothing to do: ${ref} has already granted ${formatDollars(amount)}.`,
      `  Balance  ${formatDollars(balance_usd)}`,
    ],
    json: { account_id: accountId, granted, amount_usd: usdFromMicrousd(amount), balance_usd, ref },
  };
}

async function freeze(context: CommandContext, flags: Flags, frozen: boolean): Promise<CommandResult> {
  const { runtime, operator } = context;
  const accountId = await resolveAccountId(runtime, flags.account());
  const reason = frozen ? (flags.text('reason') ?? null) : null;
  const changed = await setFrozen(runtime, operatorName(operator), { accountId, frozen, reason });
  const now = frozen ? 'frozen' : 'not frozen';
  return {
    lines: [changed ? `${accountId} is ${now} now.` : `${accountId} was already ${now}.`],
    json: { account_id: accountId, frozen, changed },
  };
}

function showState(state: AccountState): CommandResult {
  const shown = Object.entries(state).filter(([, value]) => value !== null);
  return {
    lines: shown.map(([name, value]) => {
      const text = name.endsWith('_usd') ? formatDollars(Number(value)) : value;
      return `${name.replace(/_usd$/, '').replace('_', ' ').padEnd(14)}${text}`;
    }),
    json: state,
  };
}
