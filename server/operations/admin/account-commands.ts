import { operatorName } from '../../core/trpc/actor';
import { type AccountState, getAccountState, resolveAccountId } from '../../identity/accounts/find-account';
import { setFrozen } from '../../identity/accounts/freeze-account';
import { newId } from '../../kit/ids';
import { usdFromMicrousd } from '../../kit/money';
import { createPerson } from '../../lifecycle/create-person';
import { grantAccount } from '../../money/billing/grant-account';
import { dollars, type Flags, UsageError } from './arguments';
import { ACCOUNT_FLAGS, type Command, type CommandContext, type CommandResult } from './command';

export const accountCommands: Command[] = [
  {
    name: 'account create',
    about: 'A person with an account and a key. Where the address is known: one more key, and the credit.',
    flags: {
      email: { value: 'ADDRESS', about: 'whose account it is', required: true },
      name: { value: 'NAME', about: 'how the person is shown' },
      'credit-usd': { value: 'USD', about: 'credit to begin with' },
    },
    run: createAccount,
  },
  {
    name: 'account credit',
    about: 'Gives an account credit that nobody paid for.',
    flags: {
      ...ACCOUNT_FLAGS,
      'amount-usd': { value: 'USD', about: 'how much', required: true },
      memo: { value: 'TEXT', about: 'why; kept in the ledger' },
      ref: {
        value: 'TEXT',
        about: 'what caused it; the same one gives credit once, however often it is run',
      },
    },
    run: creditAccount,
  },
  {
    name: 'account freeze',
    about: 'Refuses its calls, balance and keys from the next request on; what runs is finished.',
    flags: { ...ACCOUNT_FLAGS, reason: { value: 'TEXT', about: 'why; kept with the account' } },
    run: (context, flags) => freeze(context, flags, true),
  },
  {
    name: 'account unfreeze',
    about: 'Ends a freeze.',
    flags: { ...ACCOUNT_FLAGS },
    run: (context, flags) => freeze(context, flags, false),
  },
  {
    name: 'account show',
    about: 'What is known of an account.',
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
  return {
    lines: [
      created ? `Created an account for ${email}.` : `${email} has an account: it got another key.`,
      '',
      `  Account  ${accountId}`,
      `  API key  ${key.secret}   (shown this once)`,
      `  Credit   ${dollars(credit)} given now`,
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
  const memo = flags.text('memo') ?? 'Given by the operator';
  const granted = await grantAccount(runtime, operatorName(operator), { accountId, amount, ref, memo });
  const { balance_usd } = await getAccountState(runtime, accountId);
  return {
    lines: [
      granted
        ? `Gave ${dollars(amount)} to ${accountId}.`
        : `Nothing to do: ${ref} gave ${dollars(amount)} before.`,
      `  Balance  ${dollars(balance_usd)}`,
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
    lines: [changed ? `${accountId} is ${now} now.` : `${accountId} was ${now} already.`],
    json: { account_id: accountId, frozen, changed },
  };
}

function showState(state: AccountState): CommandResult {
  const shown = Object.entries(state).filter(([, value]) => value !== null);
  return {
    lines: shown.map(([name, value]) => {
      const text = name.endsWith('_usd') ? dollars(Number(value)) : value;
      return `${name.replace(/_usd$/, '').replace('_', ' ').padEnd(14)}${text}`;
    }),
    json: state,
  };
}
