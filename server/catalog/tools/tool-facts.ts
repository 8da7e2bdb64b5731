import { sql } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { defineRow, float, integer, text } from '@/db/rows';
import { countedReviews } from '../reviews/counted-reviews';
import { MIN_CALLS_OF_RATE } from './limits';
import { NOT_SEEDED } from './not-seeded';
import type { Tool } from './schema';

/** Facts about a tool that are not in its definition: rating and statistics. */
export interface ToolFact {
  rating: Tool['rating'];
  stats: Tool['stats'];
}

export const NO_FACTS: ToolFact = {
  rating: { average: null, count: 0 },
  stats: { success_rate: null, p50_ms: null, calls_30d: 0 },
};

/** How old the facts in a list may be. */
const FRESH_MS = 15_000;
/** The median latency is computed from about this many calls, sampled by pages of the table. */
const LATENCY_SAMPLE = 20_000;
/**
 * The most calls of one person that count in a success rate, so that nobody determines it alone.
 */
const MAX_CALLS_PER_PERSON = 100;

/**
 * Caches ratings and statistics of all tools. Stale facts are refreshed in the background, so that
 * requests do not wait.
 */
export class ToolFacts {
  readonly #db: Database;
  #facts: Promise<Map<string, ToolFact>> | null = null;
  #readAt = 0;
  #version = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Changes with the facts: anything derived from an older version is stale. */
  get version(): number {
    return this.#version;
  }

  /** Returns the facts by tool name; tools without an entry have NO_FACTS. */
  async all(): Promise<ReadonlyMap<string, ToolFact>> {
    if (this.#facts === null) return await this.#read();
    if (Date.now() - this.#readAt > FRESH_MS) {
      const known = this.#facts;
      this.#read().catch(() => {
        this.#facts = known;
      });
      return await known;
    }
    return await this.#facts;
  }

  async get(tool: string): Promise<ToolFact> {
    return (await this.all()).get(tool) ?? NO_FACTS;
  }

  /** Drops the cached facts, because the tools have changed. */
  invalidate(): void {
    this.#facts = null;
    this.#version++;
  }

  /**
   * Reads the rating of a tool after a review. Its statistics are not read again, which would cost
   * far more.
   */
  async refreshRating(tool: string): Promise<void> {
    // A read that started before the review would overwrite its rating.
    await this.#facts?.catch(() => undefined);
    const rating = await readRating(this.#db, tool);
    const facts = await this.#facts?.catch(() => undefined);
    facts?.set(tool, { ...NO_FACTS, ...facts.get(tool), rating });
    this.#version++;
  }

  #read(): Promise<Map<string, ToolFact>> {
    this.#readAt = Date.now();
    const reading = readFacts(this.#db);
    this.#facts = reading;
    reading.then(
      () => this.#version++,
      () => {
        if (this.#facts === reading) this.#facts = null;
      },
    );
    return reading;
  }
}

const RATED = sql`tool, round(avg(rating), 2)::float8 as average, count(*)::int as count`;

const ratingRow = defineRow({ tool: text(), average: float(), count: integer() });

async function readRating(db: Database, tool: string): Promise<Tool['rating']> {
  const [row] = await ratingRow.read(
    db.execute(sql`
      select ${RATED} from (${countedReviews(sql`reviews.tool = ${tool}`)}) r group by tool`),
  );
  return row ? { average: row.average, count: row.count } : NO_FACTS.rating;
}

const sizeRow = defineRow({ tuples: float().nullable() });

const factRow = defineRow({
  tool: text(),
  average: float().nullable(),
  count: integer().nullable(),
  calls: integer().nullable(),
  success: float().nullable(),
  p50: integer().nullable(),
});

async function readFacts(db: Database): Promise<Map<string, ToolFact>> {
  const [size] = await sizeRow.read(
    db.execute(
      // Only partitions of the months read below; the whole table has no row estimate.
      sql`select sum(greatest(c.reltuples, 0))::float8 as tuples
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'usage_records'::regclass
        and c.relname >= to_char((now() - interval '30 days') at time zone 'UTC', '"usage_records_"YYYY_MM')`,
    ),
  );
  const percent = Math.min(100, (LATENCY_SAMPLE * 100) / Math.max(1, size?.tuples ?? 1));
  const rows = await factRow.read(
    db.execute(sql`
      with rated as (
        select ${RATED} from (${countedReviews(sql`true`)}) r group by tool
      ), used as (
        -- By person, across their keys and teams; null stands for all unclaimed keys together.
        select u.tool, a.owner_user_id as person, sum(u.calls - u.refused)::float8 as calls,
          sum(u.failed - u.refused)::float8 as failed
        from (
          select tool, key_id, sum(calls) as calls, sum(failed) as failed, sum(refused) as refused
          from usage_rollups where hour > now() - interval '30 days' group by tool, key_id
        ) u join api_keys k on k.id = u.key_id and not k.seeded join accounts a on a.id = k.account_id
        group by u.tool, person having sum(u.calls - u.refused) > 0
      ), called as (
        select tool, sum(calls)::int as calls,
          sum(least(calls, ${MAX_CALLS_PER_PERSON}::float8) * (1 - failed / calls)) filter (where person is not null)
            / sum(least(calls, ${MAX_CALLS_PER_PERSON}::float8)) filter (where person is not null) as success,
          sum(least(calls, ${MAX_CALLS_PER_PERSON}::float8)) filter (where person is not null) as rated
        from used group by tool
      ), timed as (
        select tool, percentile_disc(0.5) within group (order by latency_ms)::int as p50
        from usage_records tablesample system (${percent}::real)
        where status = 'success' and created_at > now() - interval '30 days' and ${NOT_SEEDED}
          and not exists (select 1 from accounts a where a.id = usage_records.account_id and a.type = 'provisional')
        group by tool
      )
      select tool, average, count, calls, case when rated >= ${MIN_CALLS_OF_RATE} then success end as success, p50
      from rated full join called using (tool) full join timed using (tool)`),
  );
  return new Map(
    rows.map((row) => [
      row.tool,
      {
        ...NO_FACTS,
        rating: { average: row.average, count: row.count ?? 0 },
        stats: {
          success_rate: row.success === null ? null : Math.round(row.success * 1e4) / 1e4,
          p50_ms: row.p50,
          calls_30d: row.calls ?? 0,
        },
      },
    ]),
  );
}
