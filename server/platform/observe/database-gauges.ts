import { Gauge, type Registry } from 'prom-client';
import type { Sql } from '@/db/client';
import { defineRow, float, type RowOf } from '@/db/rows';
import { QUEUE_WAIT_SECONDS } from '../../core/limits/windows';
import { withTimeout } from '../../kit/with-timeout';
import { MAX_ATTEMPTS } from '../email/limits';

/** Scrapes within this time share one snapshot. */
const FRESH_MS = 5_000;
/** How long a scrape waits for the database; a later result is served to the next scrape. */
const WAIT_MS = 2_000;

const figuresRow = defineRow({
  open_calls: float(),
  holds_microusd: float(),
  queued: float(),
  queue_running: float(),
  queue_oldest_seconds: float(),
  mails_waiting: float(),
  imports_ok: float(),
  imports_changed: float(),
  imports_unreachable: float(),
  imports_disabled: float(),
  connections_active: float(),
  connections_idle: float(),
});
type Figures = RowOf<typeof figuresRow>;

/** The name, help text and label of each metric, and the figures behind its label values. */
const GAUGES: [name: string, help: string, label: string | null, values: [string, keyof Figures][]][] = [
  ['gateway_open_calls', 'Calls that are open in the database.', null, [['', 'open_calls']]],
  ['gateway_holds_microusd', 'Micro-dollars held for open calls.', null, [['', 'holds_microusd']]],
  [
    'gateway_queue_jobs',
    'Queued calls, waiting or running.',
    'state',
    [
      ['waiting', 'queued'],
      ['running', 'queue_running'],
    ],
  ],
  [
    'gateway_queue_oldest_seconds',
    'How long the oldest call in the queue has waited.',
    null,
    [['', 'queue_oldest_seconds']],
  ],
  ['gateway_mails_waiting', 'Emails that are not sent yet.', null, [['', 'mails_waiting']]],
  [
    'gateway_imported_tools',
    'Imported tools, by state.',
    'state',
    [
      ['ok', 'imports_ok'],
      ['changed', 'imports_changed'],
      ['unreachable', 'imports_unreachable'],
      ['disabled', 'imports_disabled'],
    ],
  ],
  [
    'gateway_database_connections',
    'Connections of all gateway processes to this database.',
    'state',
    [
      ['active', 'connections_active'],
      ['idle', 'connections_idle'],
    ],
  ],
];

/**
 * Gauges that are read from the database and are the same in every process. If it does not answer,
 * they are left out and `gateway_database_up` is 0; the other metrics are still served.
 */
export class DatabaseGauges {
  readonly #sql: Sql;
  readonly #up: Gauge;
  readonly #seconds: Gauge;
  readonly #gauges: [Gauge, string | null, [string, keyof Figures][]][];
  #refreshing: Promise<void> | undefined;
  #refreshedAt = Number.NEGATIVE_INFINITY;

  constructor(sql: Sql, registry: Registry) {
    this.#sql = sql;
    // Each process reads the same figures: the values of several must not be added up.
    const gauge = (name: string, help: string, label: string | null, aggregator: 'max' | 'min' = 'max') =>
      new Gauge({ name, help, labelNames: label === null ? [] : [label], registers: [registry], aggregator });
    this.#up = gauge('gateway_database_up', '1 if the database answered in time.', null, 'min');
    this.#seconds = gauge(
      'gateway_database_answer_seconds',
      'How long the database took to answer, including the wait for a pooled connection.',
      null,
    );
    this.#gauges = GAUGES.map(([name, help, label, values]) => [gauge(name, help, label), label, values]);
  }

  /** Reads the figures if the last ones are old, and waits a moment for them. Never throws. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#refreshedAt < FRESH_MS) return;
    this.#refreshing ??= this.#refreshNow().finally(() => {
      this.#refreshing = undefined;
    });
    await withTimeout(this.#refreshing, WAIT_MS, () => this.#show(null));
  }

  async #refreshNow(): Promise<void> {
    const began = performance.now();
    try {
      this.#show(await readFigures(this.#sql));
      this.#seconds.set((performance.now() - began) / 1000);
      this.#refreshedAt = performance.now();
    } catch {
      this.#show(null);
    }
  }

  #show(figures: Figures | null): void {
    this.#up.set(figures ? 1 : 0);
    if (!figures) this.#seconds.remove();
    for (const [gauge, label, values] of this.#gauges)
      for (const [value, figure] of values) {
        const labels: Record<string, string> = label === null ? {} : { [label]: value };
        if (figures) gauge.set(labels, Number(figures[figure]));
        else gauge.remove(labels);
      }
  }
}

/** Each subquery reads a small table or an index of current work, never history. */
async function readFigures(sql: Sql): Promise<Figures> {
  const [row] = await figuresRow.read(sql`
    select c.*, q.*, r.*, m.*, i.*, a.* from
      (select count(*)::float8 open_calls, coalesce(sum(hold_microusd), 0)::float8 holds_microusd from calls) c,
      (select count(*)::float8 queued,
          greatest(coalesce(${QUEUE_WAIT_SECONDS} - extract(epoch from min(lease_expires_at) - now()), 0), 0)::float8
            queue_oldest_seconds
        from calls where fence in ('queue', 'alone')) q,
      (select count(*)::float8 queue_running from calls c join jobs j on j.call_id = c.id and j.queued
        where c.fence not in ('queue', 'alone')) r,
      (select count(*)::float8 mails_waiting from outgoing_emails
        where sent_at is null and attempts < ${MAX_ATTEMPTS}) m,
      (select count(*) filter (where disabled_at is not null)::float8 imports_disabled,
          count(*) filter (where disabled_at is null and changed_at is not null)::float8 imports_changed,
          count(*) filter (where disabled_at is null and changed_at is null and problem is not null)::float8
            imports_unreachable,
          count(*) filter (where disabled_at is null and changed_at is null and problem is null)::float8 imports_ok
        from imported_tools) i,
      (select count(*) filter (where state = 'active')::float8 connections_active,
          count(*) filter (where state <> 'active')::float8 connections_idle
        from pg_stat_activity where datname = current_database() and application_name like 'tool-gateway%') a`);
  if (!row) throw new Error('A count has one row');
  return row;
}
