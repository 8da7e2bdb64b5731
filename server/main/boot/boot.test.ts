import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '@/test/support/temporary-folder';
import { readBootedSettings, SettingsError } from '../../platform/settings/settings';
import { assertNotRunning, type Booted, boot } from './boot';
import { AlreadyRunningError } from './lock';

let cwd: string;
const running: Booted[] = [];
beforeEach(async () => {
  cwd = await temporaryFolder();
});
afterEach(async () => {
  for (const booted of running.splice(0).reverse()) await booted.stop();
  await removeFolder(cwd);
});

/** The environment of an operator's shell, without the variables of this test run. */
const environment = (more: Record<string, string> = {}) => ({ NODE_ENV: undefined, ...more });

async function start(options: Parameters<typeof boot>[0]): Promise<Booted> {
  const booted = await boot({ log: () => undefined, ...options });
  running.push(booted);
  return booted;
}

describe('boot', () => {
  it('completes the environment, rejects a second start, allows a command, and releases everything @F38', async () => {
    await writeFile(join(cwd, '.env'), 'OPERATOR_EMAIL=someone@example.com\nRATE_PER_HOUR=7\n');
    const env = environment({ RATE_PER_HOUR: '8' });
    const first = await start({ env, cwd, listen: async () => 4321 });
    expect(first.postgres).toBe('started');
    expect(env).toMatchObject({ GATEWAY_ENV: 'local', BASE_URL: 'http://localhost:4321', PORT: '4321' });
    expect(readBootedSettings({ ...env, NODE_ENV: 'production' })).toEqual(first.settings);
    expect(first.settings).toMatchObject({ operatorEmail: 'someone@example.com' });
    expect(first.settings.quotas.perWindow[1]).toBe(8);
    expect((await stat(join(cwd, '.data'))).mode & 0o067).toBe(0);

    const second = boot({ env: environment(), cwd });
    await expect(second).rejects.toThrow(AlreadyRunningError);
    await expect(second).rejects.toThrow(`process id ${process.pid} at http://localhost:4321`);
    await expect(assertNotRunning(environment(), cwd)).rejects.toThrow(AlreadyRunningError);

    const command = await start({ env: environment(), cwd, mode: 'command' });
    expect(command.postgres).toBe('shared');
    expect(command.settings.baseUrl).toBe('http://localhost:4321');
    await command.stop();
    const sql = postgres(first.settings.databaseUrl, { max: 1 });
    expect(await sql`select 1`).toHaveLength(1);
    await sql.end();

    await first.stop();
    await assertNotRunning(environment(), cwd);
    expect((await readdir(join(cwd, '.data'))).sort()).toEqual(['postgres', 'secrets.json']);
  });

  it('neither uses nor closes a folder that all users share @F38', async () => {
    await chmod(cwd, 0o1777);
    await expect(boot({ env: environment({ DATA_DIR: '.' }), cwd })).rejects.toThrow(
      `The data folder ${cwd} cannot be used (shared by all users): set DATA_DIR to a folder owned by`,
    );
    expect((await stat(cwd)).mode & 0o7777).toBe(0o1777);
  });

  it('reports all invalid settings at once, before it changes anything', async () => {
    const failure = boot({ env: environment({ PORT: 'x', BYOK_RATE: '2', NODE_ENV: 'production' }), cwd });
    await expect(failure).rejects.toThrow(SettingsError);
    await expect(failure).rejects.toThrow(/PORT[\s\S]*BYOK_RATE[\s\S]*BASE_URL[\s\S]*AUTH_SECRET/);
    expect(await readdir(cwd)).toEqual([]);
  });

  it('releases the data folder when the start fails', async () => {
    const env = environment({ DATABASE_URL: 'postgres://a:hunter2@127.0.0.1:1/b' });
    await expect(boot({ env, cwd })).rejects.toThrow(/cannot be used/);
    await assertNotRunning(environment(), cwd);
  });

  it('uses DATABASE_URL if set, without the embedded PostgreSQL', async () => {
    const url = process.env.TEST_OWNER_DATABASE_URL ?? '';
    const booted = await start({ env: environment({ DATABASE_URL: url }), cwd });
    expect(booted.postgres).toBe('external');
    expect(booted.settings.databaseUrl).toBe(url);
    expect(await readdir(join(cwd, '.data'))).not.toContain('postgres');
  });
});
