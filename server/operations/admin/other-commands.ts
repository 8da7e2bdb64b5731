import { writeAudit } from '../../core/audit/audit';
import { operatorName } from '../../core/trpc/actor';
import { getAccountState, resolveAccountId } from '../../identity/accounts/find-account';
import { getKeyAccount, listKeys } from '../../identity/keys/get-key';
import { revokeKey } from '../../identity/keys/revoke-key';
import { createSignInLink } from '../../identity/sessions/create-sign-in-link';
import { reconcileNow } from '../operator/run-reconcile';
import { sweep } from '../retention/sweep';
import { type Flags, formatDollars } from './arguments';
import {
  ACCOUNT_FLAGS,
  type Command,
  type CommandContext,
  type CommandResult,
  toOperatorActor,
} from './command';

export const otherCommands: Command[] = [
  {
    name: 'key list',
    about: 'Lists the API keys of an account, masked, newest first.',
    flags: { ...ACCOUNT_FLAGS },
    run: listAccountKeys,
  },
  {
    name: 'key revoke',
    about: 'Revokes an API key, effective from its next request. This cannot be undone.',
    flags: { key: { value: 'ID', about: 'the key, key_…; see key list', required: true } },
    run: revoke,
  },
  {
    name: 'sign-in-link',
    about: 'Creates a link that signs one user in, once, within a day.',
    flags: { email: { value: 'ADDRESS', about: 'the user; by default the operator (OPERATOR_EMAIL)' } },
    run: signInLink,
  },
  {
    name: 'reconcile',
    about:
      'Checks that balances, holds, ledger, usage, roll-ups and payments agree, also with the payment provider; exits 1 and lists the differences if they do not.',
    flags: { 'books-only': { about: 'do not query the payment provider' } },
    run: runReconcile,
  },
  {
    name: 'sweep',
    about: 'Removes expired data now, as a running gateway does every hour; exits 1 if a part failed.',
    flags: {},
    run: runSweep,
  },
];

async function listAccountKeys({ runtime, operator }: CommandContext, flags: Flags): Promise<CommandResult> {
  const account = await getAccountState(runtime, await resolveAccountId(runtime, flags.account()));
  const { keys } = await listKeys(runtime, toOperatorActor(operator, account.account_id, account.type));
  return {
    lines: keys.map((key) => {
      const left = key.credits === null ? 'no limit' : `${formatDollars(key.credits)} left`;
      const columns = [
        key.id,
        key.key_prefix,
        key.status.padEnd(7),
        `${formatDollars(key.credits_used)} used`,
        left,
      ];
      return [...columns, key.name].join('  ');
    }),
    json: { account_id: account.account_id, keys },
  };
}

async function revoke({ runtime, operator }: CommandContext, flags: Flags): Promise<CommandResult> {
  const id = flags.required('key');
  const account = await getAccountState(runtime, await getKeyAccount(runtime, id));
  await revokeKey(runtime, toOperatorActor(operator, account.account_id, account.type), id);
  return {
    lines: [`Revoked ${id} of ${account.account_id}.`],
    json: { id, account_id: account.account_id, status: 'revoked' },
  };
}

async function signInLink({ runtime, gatewayRuns }: CommandContext, flags: Flags): Promise<CommandResult> {
  const email = flags.email() ?? runtime.settings.operatorEmail;
  const url = await createSignInLink(runtime, email);
  const hint = `The gateway is not running: start it at ${runtime.settings.baseUrl}, then open the link.`;
  return { lines: gatewayRuns ? [url] : [hint, url], json: { email, url } };
}

async function runReconcile({ runtime, operator }: CommandContext, flags: Flags): Promise<CommandResult> {
  const asked = !flags.has('books-only') && runtime.ports.payments !== null;
  const { checks, counted, differences, provider } = await reconcileNow(
    runtime,
    { name: operatorName(operator) },
    asked,
  );
  const { accounts, keys, entries, records, open_calls, payments } = counted;
  const extent = `${accounts} accounts, ${keys} keys, ${entries} ledger entries, ${records} usage records, ${open_calls} open calls, ${payments} payments`;
  const unanswered = asked && provider === null;
  const compared = provider === null ? '' : ` ${provider} payments compared with the provider.`;
  const verdict = differences.length === 0 ? 'No differences' : `${differences.length} differences`;
  return {
    lines: [
      ...differences.map(
        ({ check, subject, expected, actual }) =>
          `DIFFERENCE  ${check}: ${subject}: expected ${expected}, found ${actual}`,
      ),
      ...(unanswered
        ? ['FAILED  The payment provider did not respond: its payments were not compared.']
        : []),
      `${verdict}. ${checks} rules over ${extent}.${compared}`,
    ],
    json: { ok: differences.length === 0 && !unanswered, checks, counted, provider, differences },
    failed: differences.length > 0 || unanswered,
  };
}

async function runSweep({ runtime, operator }: CommandContext): Promise<CommandResult> {
  const report = await sweep(runtime);
  const { elsewhere, removed, usageMonthsMade, usageDaysAdded } = report;
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const counts = Object.entries({ ...removed, usageMonthsMade, usageDaysAdded }).map(
    ([what, n]) => [snake(what), n] as const,
  );
  const details = Object.fromEntries(counts);
  const failed = report.failed.map(snake);
  if (!elsewhere) await writeAudit(runtime.db, { actor: operatorName(operator), action: 'sweep', details });

  const done = counts.filter(([, count]) => count > 0);
  const lines = done.map(([what, count]) => `${what.replaceAll('_', ' ').padEnd(24)} ${count}`);
  if (elsewhere) lines.push('Nothing done: a gateway is sweeping right now.');
  else if (done.length + failed.length === 0) lines.push('Nothing has expired.');
  lines.push(...failed.map((what) => `FAILED  ${what.replaceAll('_', ' ')}: see the log.`));
  const ok = failed.length === 0;
  return { lines, json: { ok, elsewhere, ...details, failed }, failed: !ok };
}
