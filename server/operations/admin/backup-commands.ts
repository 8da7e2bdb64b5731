import { writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { operatorName } from '../../core/trpc/actor';
import { fromSettingsFolder } from '../../kit/settings-folder.mjs';
import { reconcile } from '../../money/reconcile/reconcile';
import { recordRun } from '../../platform/background/record-run';
import { ensureDatabase } from '../../platform/database/migrate';
import { createBackup } from '../backup/make-backup';
import { restoreBackup } from '../backup/restore-backup';
import { type Flags, UsageError } from './arguments';
import type { Command, CommandContext, CommandResult } from './command';

const MIB = 1024 * 1024;
const DATABASE_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

export const backupCommands: Command[] = [
  {
    name: 'backup',
    about:
      'Writes a snapshot of all data into one file, even while the gateway runs. Store the secrets (AUTH_SECRET, VAULT_KEY, CLAIM_SECRET) elsewhere: they are not in it, and it is of little use without them.',
    flags: {
      to: { value: 'PATH', about: 'a new file, or a folder for one', required: true },
      files: { about: "include the contents of users' files" },
    },
    run: backup,
  },
  {
    name: 'restore',
    about:
      'Restores a backup into an empty database, completely or not at all, while no gateway runs; then reconciles, and exits 1 if there are differences.',
    flags: {
      from: { value: 'FILE', about: 'the backup', required: true },
      'into-new': { value: 'NAME', about: 'create a database of that name on the server of DATABASE_URL' },
      'other-secrets': { about: 'continue with different secrets: everything they sealed is lost' },
    },
    run: restore,
  },
];

async function backup({ runtime, operator }: CommandContext, flags: Flags): Promise<CommandResult> {
  const to = fromSettingsFolder(flags.required('to'));
  const { path, bytes, rows, files, tables, unfinished } = await recordRun(
    runtime,
    { name: 'backup', everySeconds: null },
    () => createBackup(runtime, { to, files: flags.has('files') }),
  );
  await writeAudit(runtime.db, {
    actor: operatorName(operator),
    action: 'backup',
    details: { rows, files, bytes },
  });
  const size = `${(bytes / MIB).toFixed(1)} MiB`;
  return {
    lines: [
      `${path}: ${rows} rows of ${Object.keys(tables).length} tables, ${files} files, ${size}.`,
      ...unfinished.map(
        (part) => `${part} belongs to a backup on another machine. If none runs there, delete the file.`,
      ),
    ],
    json: { path, bytes, rows, files, tables, unfinished },
  };
}

async function restore(
  { runtime, operator, gatewayRuns, withDatabase }: CommandContext,
  flags: Flags,
): Promise<CommandResult> {
  if (gatewayRuns) throw new UsageError('A gateway is running on this data folder: stop it first.');
  const databaseUrl = await chooseDatabase(runtime, flags.text('into-new'));
  const { madeAt, rows, files, tables } = await restoreBackup(runtime, {
    from: fromSettingsFolder(flags.required('from')),
    databaseUrl,
    acceptOtherSecrets: flags.has('other-secrets'),
  });
  return await withDatabase(databaseUrl, async (restored) => {
    await writeAudit(restored.db, {
      actor: operatorName(operator),
      action: 'restore',
      details: { made_at: madeAt, rows, files },
    });
    const { checks, differences } = await reconcile(restored);
    const ok = differences.length === 0;
    return {
      lines: [
        ...differences.map(
          ({ check, subject, expected, actual }) =>
            `DIFFERENCE  ${check}: ${subject}: expected ${expected}, found ${actual}`,
        ),
        `Restored the backup of ${madeAt}: ${rows} rows of ${Object.keys(tables).length} tables, ${files} files.`,
        ok ? `No differences: ${checks} rules.` : `Reconcile found ${differences.length} differences.`,
      ],
      json: { ok, made_at: madeAt, rows, files, tables, checks, differences },
      failed: !ok,
    };
  });
}

async function chooseDatabase(
  { settings }: Pick<Runtime, 'settings'>,
  name: string | undefined,
): Promise<string> {
  if (name === undefined) return settings.databaseUrl;
  if (!DATABASE_NAME.test(name))
    throw new UsageError('--into-new takes a name of lower-case letters, digits and underscores.');
  const url = new URL(settings.databaseUrl);
  url.pathname = `/${name}`;
  await ensureDatabase(url.href);
  return url.href;
}
