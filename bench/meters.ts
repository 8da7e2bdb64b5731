import { readdirSync, readFileSync } from 'node:fs';
import postgres from 'postgres';
import { defineRow, text } from '@/db/rows';

/** Clock tick of CPU times in /proc: 100 per second on all Linux systems. */
const TICK_US = 10_000;

/** Measures that are insensitive to noise: counts and CPU time. */
export interface Counters {
  /** CPU time of all PostgreSQL processes; null without /proc. */
  postgresCpuUs: number | null;
  /** Writing transactions, each of which waits for its commit. */
  commits: number;
  walBytes: number;
}

/** Reads the counters of the bench's database. */
export interface Meters {
  read(): Promise<Counters>;
  /** The current wait events in PostgreSQL, one entry per busy process. */
  sampleWaits(): Promise<string[]>;
  /** The settings that determine the durability of a commit. */
  durability(): Promise<Record<string, string>>;
  /** The data directory of the cluster. */
  dataDirectory(): Promise<string>;
  close(): Promise<void>;
}

const waitRow = defineRow({ doing: text() });

export async function openMeters(url: string): Promise<Meters> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const [own] = await sql`select pg_backend_pid() as pid`;
  const postmaster = readParent(own?.pid);
  return {
    async read() {
      // A transaction gets its id when it first writes or locks, and the next id is exact at once.
      // pg_stat_database's xact_commit is reported up to ten seconds late.
      const [row] = await sql`
        select pg_snapshot_xmax(pg_current_snapshot())::text::float8 as next,
          pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal`;
      return { commits: row?.next, walBytes: row?.wal, postgresCpuUs: readTreeCpu(postmaster) };
    },
    async sampleWaits() {
      const rows = await waitRow.read(sql`
        select coalesce(wait_event_type || ':' || wait_event, 'on the processor') || ' · ' ||
          coalesce(substring(query from '(admit_calls|end_calls|key_hash)'), backend_type) as doing
        from pg_stat_activity
        where pid <> pg_backend_pid() and (state = 'active' or backend_type = 'walwriter' and wait_event_type = 'IO')`);
      return rows.map((row) => row.doing);
    },
    async durability() {
      const [row] = await sql`
        select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
          current_setting('full_page_writes') as full_page_writes, current_setting('server_version') as version`;
      return { ...row };
    },
    async dataDirectory() {
      const [row] = await sql`select current_setting('data_directory') as folder`;
      return row?.folder;
    },
    close: () => sql.end({ timeout: 5 }),
  };
}

interface ProcStat {
  parent: number;
  /** Of the process and its ended children. */
  ticks: number;
}

function procStat(pid: number): ProcStat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain anything; only numbers follow it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number);
    const ticks = (user ?? 0) + (system ?? 0) + (childUser ?? 0) + (childSystem ?? 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return null;
  }
}

function readParent(pid: number): number | null {
  return procStat(pid)?.parent ?? null;
}

function readTreeCpu(root: number | null): number | null {
  if (root === null) return null;
  let ticks = procStat(root)?.ticks ?? 0;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = procStat(pid);
    if (stat?.parent === root) ticks += stat.ticks;
  }
  return ticks * TICK_US;
}
