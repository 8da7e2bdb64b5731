// Makes a backup under load and one without a gateway, restores each into a new database, and
// compares all tables and the books. `BACKUP_CALLS=1000000` is the long run.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UNLIMITED_RATES } from '../support/unlimited-rates';
import { runAdmin } from './fixtures/admin';
import { startGateway, type TestGateway } from './fixtures/gateway';
import { reapFolderLater } from './fixtures/processes';
import { removeTestFolder } from './fixtures/test-folder.mjs';
import { saveResult } from './fixtures/test-results';

const CALLS = Number(process.env.BACKUP_CALLS || 20_000);
const CREDIT_USD = '1000';
const CLIENTS = 4;
const MIB = 1024 * 1024;
/** A million calls take some minutes; the limit is only for a run that hangs. */
const SCENARIO_LIMIT_MS = 600_000 + CALLS;

interface TableSummary {
  rows: number;
  digest: string;
}

interface Backup {
  path: string;
  bytes: number;
  rows: number;
  tables: Record<string, TableSummary>;
}

interface Restored {
  ok: boolean;
  checks: number;
  tables: Record<string, TableSummary>;
}

interface Roundtrip {
  backup: Backup;
  fileBytes: number;
  restored: Restored;
}

type BackupName = 'underLoad' | 'alone';

let folder: string;
let gateway: TestGateway | undefined;
let load: Load;
const roundtrips: Partial<Record<BackupName, Roundtrip>> = {};

beforeAll(async () => {
  if (!Number.isInteger(CALLS) || CALLS < 1) throw new Error('BACKUP_CALLS must be a positive integer');
  folder = mkdtempSync(join(tmpdir(), 'gateway-roundtrip-'));
  reapFolderLater(folder);
  // Under root, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const started = await startGateway({
    DATA_DIR: join(folder, 'data'),
    ...Object.fromEntries(['AUTH_SECRET', 'VAULT_KEY', 'CLAIM_SECRET'].map((name) => [name, createSecret()])),
    ...UNLIMITED_RATES,
  });
  gateway = started;
  const { admin, baseUrl } = started;
  const create = ['account', 'create', '--email', 'roundtrip@example.test', '--credit-usd', CREDIT_USD];
  const account = await admin(...create);
  await admin('usage', 'seed', '--account', account.account_id, '--rows', String(CALLS));

  load = new Load(baseUrl, account.api_key);
  await load.untilAnswered(CLIENTS);
  const underLoad: Backup = await admin('backup', '--to', join(folder, 'under-load.backup'));
  await load.untilAnswered(load.answered + 1);
  await load.stop();
  await started.kill();
  const alone: Backup = await admin('backup', '--to', join(folder, 'alone.backup'));

  roundtrips.underLoad = await restore(started, underLoad);
  roundtrips.alone = await restore(started, alone);
}, SCENARIO_LIMIT_MS);

afterAll(async () => {
  if (gateway) saveResult('backup-roundtrip/gateway.log', gateway.log());
  await gateway?.stop();
  await removeTestFolder(folder);
});

test('calls made during a backup succeed', () => {
  expect(load.failures).toEqual([]);
  expect(load.answered).toBeGreaterThan(CLIENTS);
});

const BACKUPS: [title: string, name: BackupName][] = [
  ['made while the gateway serves calls', 'underLoad'],
  ['made without a gateway', 'alone'],
];

describe.each(BACKUPS)('a backup %s', (_, name) => {
  const found = () => {
    const roundtrip = roundtrips[name];
    if (!roundtrip) throw new Error('The backup was not made');
    return roundtrip;
  };

  test('contains all calls', () => {
    const { backup, fileBytes } = found();
    expect(backup.tables['public.usage_records']?.rows).toBeGreaterThanOrEqual(CALLS);
    expect(fileBytes).toBe(backup.bytes);
  });

  test('its restored tables have equal digests @F10', () => {
    const { backup, restored } = found();
    expect(restored.tables).toEqual(backup.tables);
  });

  test('reconcile finds no difference after its restore', () => {
    expect(found().restored).toMatchObject({ ok: true });
  });
});

/** Restores into a new data folder, which has its own PostgreSQL. */
async function restore({ env }: TestGateway, backup: Backup): Promise<Roundtrip> {
  const started = performance.now();
  const dataDir = `${backup.path}-restored`;
  const restored: Restored = await runAdmin({ ...env, DATA_DIR: dataDir }, [
    'restore',
    '--from',
    backup.path,
  ]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const size = `${backup.rows.toLocaleString('en-US')} rows, ${(backup.bytes / MIB).toFixed(1)} MiB`;
  console.log(`${size}: restored and ${restored.checks} rules reconciled in ${seconds} s`);
  return { backup, fileBytes: statSync(backup.path).size, restored };
}

/** Clients that make paid calls until `stop`. */
class Load {
  answered = 0;
  readonly failures: string[] = [];
  readonly #url: string;
  readonly #key: string;
  readonly #clients: Promise<void>[];
  #stopped = false;

  constructor(baseUrl: string, key: string) {
    this.#url = `${baseUrl}/v1/tools/call`;
    this.#key = key;
    this.#clients = Array.from({ length: CLIENTS }, () => this.#runClient());
  }

  async untilAnswered(count: number): Promise<void> {
    while (this.answered < count && this.failures.length === 0)
      await new Promise((done) => setTimeout(done, 10));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#clients);
  }

  async #runClient(): Promise<void> {
    while (!this.#stopped) {
      const answer = await fetch(this.#url, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.001 } }),
      });
      const text = await answer.text();
      if (answer.status === 200) this.answered++;
      else this.failures.push(`${answer.status} ${text.slice(0, 200)}`);
    }
  }
}

function createSecret(): string {
  return randomBytes(32).toString('base64');
}
