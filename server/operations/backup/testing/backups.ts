import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { restoreBackup } from '../restore-backup';

export const SECRETS = Object.fromEntries(
  ['AUTH_SECRET', 'VAULT_KEY', 'CLAIM_SECRET'].map((name) => [name, randomBytes(32).toString('base64')]),
);
export const RATES = { ...UNLIMITED_RATES, CONCURRENT_CALLS: '50' };

let source: Harness;
let folder: string;

/** Starts a gateway, and creates a folder for its backups, for the tests of a file. */
export function setUpSource(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-backup-'));
    source = await startHarness({
      role: 'web',
      env: { ...SECRETS, ...RATES, JOBS: 'external' },
      fakeStripe: true,
    });
  });
  afterAll(async () => {
    await source.close();
    await rm(folder, { recursive: true, force: true });
  });
}

/** The gateway and the folder, once they are set up. */
export const getFixture = () => ({ source, folder });

/** Starts an empty gateway with the same secrets. */
export const startTarget = (env: Record<string, string> = {}) =>
  startHarness({ role: 'command', env: { ...SECRETS, ...RATES, ...env } });
export const restore = (target: Harness, from: string, acceptOtherSecrets = false) =>
  restoreBackup(target.runtime, {
    from,
    databaseUrl: target.runtime.settings.databaseUrl,
    acceptOtherSecrets,
  });
export const call = (key: string, skill: string, input: object, headers: Record<string, string> = {}) =>
  source.request('POST', '/v1/tools/call', { key, headers, json: { tool: 'diagnostics', skill, input } });
export const countRows = async ({ runtime }: Harness) =>
  (
    await runtime.sql`select (select count(*) from accounts)::int + (select count(*) from usage_records)::int as n`
  )[0]?.n;
