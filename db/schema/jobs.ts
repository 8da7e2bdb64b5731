import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { instant, microusd } from '../columns';

/**
 * Calls that outlived the request that made them, or were queued from the start. The call itself (hold, slot, lease) is
 * in `calls` until it ends; a job is ended in the same transaction.
 */
export const jobs = pgTable(
  'jobs',
  {
    id: text().primaryKey(),
    callId: text().notNull(),
    /** Of the key that made the call, whoever is charged. */
    accountId: text().notNull(),
    keyId: text().notNull(),
    billing: text().notNull(),
    tool: text().notNull(),
    skill: text().notNull(),
    status: text().$type<'pending' | 'running' | 'completed' | 'failed' | 'cancelled'>().notNull(),
    /** Run by a worker from the queue; otherwise by the process that took the request. */
    queued: boolean().notNull(),
    /** May be run again after a crash: its skill says it is idempotent. */
    rerunnable: boolean().notNull(),
    attempts: integer().notNull().default(0),
    /** Of a queued one, until it ends. */
    input: json(),
    /** The ToolCallResult of a completed one; what the account had left then is in the next column. */
    result: json(),
    availableMicrousd: microusd(),
    error: text(),
    errorCode: text(),
    progress: real(),
    /** Set only while it waits for a slot and no row in `calls` speaks for it: the process that waits, and until when. */
    fence: text(),
    leaseExpiresAt: instant(),
    createdAt: instant().notNull(),
    startedAt: instant(),
    finishedAt: instant(),
  },
  (table) => [
    uniqueIndex('jobs_call_unique').on(table.callId),
    index('jobs_account').on(table.accountId, table.id),
    // Those that run (finished_at is null), and when the last one ended.
    index('jobs_account_finished').on(table.accountId, table.finishedAt),
    index('jobs_finished').on(table.finishedAt).where(sql`finished_at is not null`),
    index('jobs_waiting').on(table.fence).where(sql`fence is not null`),
    check('jobs_status_known', sql`status in ('pending', 'running', 'completed', 'failed', 'cancelled')`),
    check(
      'jobs_finished_is_final',
      sql`(status in ('completed', 'failed', 'cancelled')) = (finished_at is not null)`,
    ),
    check('jobs_completed_has_result', sql`(status = 'completed') = (result is not null)`),
  ],
);

/** Log lines of jobs, in order; they go with their job. */
export const jobLogs = pgTable(
  'job_logs',
  {
    jobId: text()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    seq: integer().notNull(),
    message: text().notNull(),
    at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.seq] })],
);
