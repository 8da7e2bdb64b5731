import { createHmac } from 'node:crypto';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { z } from 'zod';
import { LAST_UNRELEASED } from '../../platform/database/adopt-unreleased';
import { MIGRATIONS } from '../../platform/database/migrate';
import type { BootedSettings } from '../../platform/settings/settings';
import { BackupError } from './backup-error';

const FORMAT = 1;
const HASH_LENGTH = 8;

const tableSchema = z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()).min(1) });
const headerSchema = z.object({
  backup: z.literal('tool-gateway'),
  format: z.literal(FORMAT),
  made_at: z.string(),
  /** The number of the newest migration, which is its creation time. */
  migration: z.number(),
  /** Enough of each secret's hash to recognise it, too little to find the secret. */
  secrets: z.object({ auth: z.string(), vault: z.string(), claim: z.string() }),
  usage_months: z.array(z.string().regex(/^\d{4}-\d{2}-01$/)),
  sequences: z.record(z.string(), z.string().regex(/^\d+$/)),
  tables: z.array(tableSchema),
  files: z.boolean(),
});

/** The first frame of a backup, which describes the rest. */
export type Header = z.output<typeof headerSchema>;

/** Builds the first frame of a new backup. */
export function createHeader(
  settings: BootedSettings,
  rest: Omit<Header, 'backup' | 'format' | 'made_at' | 'secrets'>,
): Header {
  return {
    backup: 'tool-gateway',
    format: FORMAT,
    made_at: new Date().toISOString(),
    secrets: hashSecrets(settings),
    ...rest,
  };
}

/** @throws BackupError if this version cannot read it */
export function readHeader(json: unknown): Header {
  const read = headerSchema.safeParse(json);
  if (read.success) return read.data;
  throw new BackupError('It is not a backup that this version of the gateway can read.');
}

/** Whether the fake Stripe had ever been used on the database. */
export function hasFakeStripe({ tables }: Header): boolean {
  return tables.some(({ schema }) => schema !== 'public');
}

/** Whether it is of the last version before 0.1.0. */
export function isUnreleased({ migration }: Header): boolean {
  return migration === LAST_UNRELEASED;
}

/**
 * The migrations that the backed-up database had; the first one for one from before 0.1.0.
 * @throws BackupError if it is from a newer version of the gateway
 */
export function listMigrations(header: Header) {
  const all = readMigrationFiles({ migrationsFolder: MIGRATIONS });
  if (isUnreleased(header)) return all.slice(0, 1);
  const { migration } = header;
  const had = all.filter(({ folderMillis }) => folderMillis <= migration);
  if (had.at(-1)?.folderMillis === migration) return had;
  throw new BackupError(
    'The backup is from a newer version of the gateway than this one: restore it with that version, or a later one.',
  );
}

/** The names of secrets that differ from those of the backup. */
export function findDifferentSecrets({ secrets }: Header, settings: BootedSettings): string[] {
  const here = hashSecrets(settings);
  const names = { auth: 'AUTH_SECRET', vault: 'VAULT_KEY', claim: 'CLAIM_SECRET' };
  return Object.entries(names).flatMap(([secret, name]) =>
    here[secret as keyof typeof here] === secrets[secret as keyof typeof here] ? [] : [name],
  );
}

function hashSecrets({ authSecret, vaultKey, claimSecret }: BootedSettings): Header['secrets'] {
  const mark = (secret: string) =>
    createHmac('sha256', secret).update('mark of a backup').digest('hex').slice(0, HASH_LENGTH);
  return { auth: mark(authSecret), vault: mark(vaultKey), claim: mark(claimSecret) };
}
