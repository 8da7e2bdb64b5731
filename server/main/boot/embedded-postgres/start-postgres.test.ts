import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAlive } from '../../../platform/process/process-identity';
import { query, setUpClusters, sharedFolder, start } from './testing/clusters';

const IS_ROOT = process.getuid?.() === 0;

setUpClusters();

describe('startPostgres', () => {
  it('preserves data, listens only on loopback, and gives the gateway an ordinary role', async () => {
    const dataDir = sharedFolder();
    const first = await start(dataDir);
    await query(first.url, (sql) => sql`create table letters as select 'Ä' as letter`);
    await first.stop();
    expect(isAlive(first.pid())).toBe(false);

    const second = await start(dataDir);
    expect(second.adopted).toBe(false);
    const [row] = await query(
      second.url,
      (sql) => sql`
        select letter, lower(letter) as lowered, current_setting('server_encoding') as encoding,
          current_setting('listen_addresses') as listens, current_setting('unix_socket_directories') as sockets,
          (select rolsuper from pg_roles where rolname = current_user) as superuser
        from letters`,
    );
    expect(row).toEqual({
      letter: 'Ä',
      lowered: 'ä',
      encoding: 'UTF8',
      listens: '127.0.0.1',
      sockets: '',
      superuser: false,
    });
    const wrong = second.url.replace(/:[0-9a-f]+@/, ':wrong@');
    await expect(query(wrong, (sql) => sql`select 1`)).rejects.toThrow(/password/);
    expect((await stat(join(dataDir, 'postgres/cluster.json'))).mode & 0o777).toBe(0o600);
  });
});

describe.runIf(IS_ROOT)('as root', () => {
  it('runs PostgreSQL as an ordinary user, without the environment of the gateway', async () => {
    process.env.GATEWAY_TEST_SECRET = 'hunter2';
    const running = await start(sharedFolder());
    const status = readFileSync(`/proc/${running.pid()}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\s+([1-9]\d*)\s+\1\s+\1/m);
    expect(readFileSync(`/proc/${running.pid()}/environ`, 'utf8')).not.toContain('hunter2');
  });
});
