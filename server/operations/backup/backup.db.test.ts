import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { reconcile } from '../../money/reconcile/reconcile';
import { createBackup } from './make-backup';
import { restoreBackup } from './restore-backup';
import {
  call,
  countRows,
  getFixture,
  RATES,
  restore,
  SECRETS,
  setUpSource,
  startTarget,
} from './testing/backups';

/** Bytes of a backup that are changed, each in a copy. */
const FLIPS = 8;

let source: Harness;
let folder: string;

setUpSource();
beforeAll(() => {
  ({ source, folder } = getFixture());
});

describe('a backup of a running gateway', () => {
  it('is a snapshot: restored elsewhere, all tables are equal and reconcile finds no difference @F10', async () => {
    const people = await Promise.all([1, 2, 3].map(() => source.person(5_000_000n)));
    let over = false;
    const clients = people.map(async ({ key }, n) => {
      for (let i = 0; !over; i++) {
        const answer = await call(key, 'spend', { amount_usd: 0.001 + n / 1000, seconds: (i % 5) / 100 });
        if (answer.status !== 200) throw new Error(answer.text);
      }
    });
    while (Number(await countRows(source)) < 40) await new Promise((done) => setTimeout(done, 20));
    const before = Number(await countRows(source));
    const backup = await createBackup(source.runtime, { to: join(folder, 'busy.backup'), files: false });
    const after = Number(await countRows(source));
    over = true;
    await Promise.all(clients);

    expect(Number((await stat(backup.path)).mode & 0o777)).toBe(0o600);
    expect(backup.tables['public.usage_records']?.rows).toBeGreaterThan(0);
    expect(after).toBeGreaterThanOrEqual(before);
    const target = await startTarget();
    try {
      const report = await restore(target, backup.path);
      expect(report.tables).toEqual(backup.tables);
      // A second backup reads the restored rows again.
      const again = await createBackup(target.runtime, { to: join(folder, 'again.backup'), files: false });
      expect(again.tables).toEqual(backup.tables);
      expect((await reconcile(target.runtime)).differences).toEqual([]);
      const [person] = people;
      // New rows get new numbers, because the sequences were restored.
      await target.request('POST', '/v1/tools/call', {
        key: person?.key ?? '',
        json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.5 } },
      });
      expect((await reconcile(target.runtime)).differences).toEqual([]);
      await expect(restore(target, backup.path)).rejects.toThrow('The database is not empty');
    } finally {
      await target.close();
    }
  });

  it('runs a queued call after the restore', async () => {
    const { key } = await source.person(1_000_000n);
    const queued = await call(key, 'background', { seconds: 0.1, steps: 1 }, { prefer: 'wait=0' });
    expect(queued.status).toBe(202);
    const backup = await createBackup(source.runtime, { to: join(folder, 'queued.backup'), files: false });
    const target = await startTarget();
    try {
      await restore(target, backup.path);
      const working = await startHarness({ role: 'web', peer: target, env: { ...SECRETS, ...RATES } });
      try {
        // The queue is not in a backup; the reaper queues old calls that are missing from it again.
        await target.runtime.sql`update calls set created_at = created_at - interval '10 minutes'`;
        await working.runtime.running.reap();
        const headers = { prefer: 'wait=60' };
        const job = await working.request('GET', `/v1/jobs/${queued.body.job_id}`, { key, headers });
        expect(job.body).toMatchObject({ status: 'completed' });
      } finally {
        await working.stop(1000);
      }
    } finally {
      await target.close();
    }
  });
});

describe('a restore is complete or has no effect', () => {
  it('refuses a truncated or changed backup and leaves the database as it was @F10', async () => {
    await source.person(5_000_000n);
    const { path } = await createBackup(source.runtime, { to: join(folder, 'good.backup'), files: false });
    const good = await readFile(path);
    const flip = (at: number) => Buffer.from(good.map((byte, n) => (n === at ? byte ^ 1 : byte)));
    // Behind the ten bytes of gzip's header, some of which have no meaning.
    const flipped = Array.from(
      { length: FLIPS },
      (_, n) => 10 + Math.floor(((good.length - 10) * n) / FLIPS),
    );
    const plain = gunzipSync(good).toString('latin1');
    // Several compressed forms have one content: such a file is intact.
    const isIntact = (bytes: Buffer) => {
      try {
        return gunzipSync(bytes).toString('latin1') === plain;
      } catch {
        return false;
      }
    };
    const changed = flipped.map((at) => [`flipped-${at}`, flip(at)] as const);
    const harmful = changed.filter(([, bytes]) => !isIntact(bytes));
    expect(harmful.length).toBeGreaterThan(flipped.length / 2);
    // Repacked with more credit: valid as gzip, but not as a backup.
    const richer = Buffer.from(plain.replace(/5000000/g, '9000000'), 'latin1');
    expect(richer.equals(Buffer.from(plain, 'latin1'))).toBe(false);
    const damaged = {
      cut: good.subarray(0, good.length - 500),
      half: good.subarray(0, good.length >> 1),
      empty: Buffer.alloc(0),
      ...Object.fromEntries(harmful),
      richer: gzipSync(richer),
      text: Buffer.from('no backup at all'),
      other: gzipSync(Buffer.from('no backup at all')),
    };
    const target = await startTarget();
    const named = new Set<string | undefined>();
    try {
      for (const [name, bytes] of Object.entries(damaged)) {
        const file = join(folder, `${name}.backup`);
        await writeFile(file, bytes);
        // The backup is verified before any connection to the database.
        const databaseUrl = 'postgres://nobody@127.0.0.1:1/nothing';
        const error = await restoreBackup(target.runtime, {
          from: file,
          databaseUrl,
          acceptOtherSecrets: false,
        }).catch(({ message }: Error) => message);
        expect(error, name).toMatch(
          /^(Nothing was restored: the file \S+ is damaged in (?:the table [\w.]+|one of its tables)|The backup \S+ cannot be used)\.? [^\n]+\.$/,
        );
        if (name === 'richer' || name.startsWith('flipped')) named.add(/table (\S+)\./.exec(`${error}`)?.[1]);
      }
      expect([...named].filter((table) => table?.startsWith('public.'))).not.toEqual([]);
      await expect(restore(target, join(folder, 'missing.backup'))).rejects.toThrow('ENOENT');
      // The same database accepts an intact backup.
      await restore(target, path);
      expect((await reconcile(target.runtime)).differences).toEqual([]);
    } finally {
      await target.close();
    }
  });

  it('refuses a backup made with other secrets, unless that is accepted', async () => {
    const { path } = await createBackup(source.runtime, { to: join(folder, 'secrets.backup'), files: false });
    const target = await startTarget({ VAULT_KEY: randomBytes(32).toString('base64') });
    try {
      await expect(restore(target, path)).rejects.toThrow(/^VAULT_KEY differ/);
      await restore(target, path, true);
      expect(await countRows(target)).toBeGreaterThan(0);
    } finally {
      await target.close();
    }
  });

  it('leaves no file behind if a backup cannot be written', async () => {
    const taken = join(folder, 'taken.backup');
    await writeFile(taken, 'precious');
    await expect(createBackup(source.runtime, { to: taken, files: false })).rejects.toThrow('already exists');
    expect(await readFile(taken, 'utf8')).toBe('precious');
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
