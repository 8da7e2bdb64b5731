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
 * Calls that outlived their request, or were streamed or queued. The call itself (hold, slot,
 * lease) is in `calls` until it completes; both complete in one transaction.
 */
export const jobs = pgTable(
  'jobs',
  {
    id: text().primaryKey(),
    callId: text().notNull(),
    /** The account of the key that made the call, which may differ from the charged one. */
    accountId: text().notNull(),
    keyId: text().notNull(),
    billing: text().notNull(),
    tool: text().notNull(),
    skill: text().notNull(),
    status: text().$type<'pending' | 'running' | 'completed' | 'failed' | 'cancelled'>().notNull(),
    /** Run by a worker from the queue; otherwise by the process that received the request. */
    queued: boolean().notNull(),
    /** May run again after a crash: its skill is annotated idempotent. */
    rerunnable: boolean().notNull(),
    attempts: integer().notNull().default(0),
    /** Only of a queued job, until it completes. */
    input: json(),
    /** The ToolCallResult of a completed job; the next column has the balance after it. */
    result: json(),
    availableMicrousd: microusd(),
    error: text(),
    errorCode: text(),
    progress: real(),
    /** The URL that is sent the end of the job: `webhook` of the call. */
    webhookUrl: text(),
    /**
     * The process that waits for a concurrency slot, and until when; null once `calls` has the
     * call.
     */
    fence: text(),
    leaseExpiresAt: instant(),
    createdAt: instant().notNull(),
    startedAt: instant(),
    finishedAt: instant(),
  },
  (table) => [
    uniqueIndex('jobs_call_unique').on(table.callId),
    index('jobs_account').on(table.accountId, table.id),
    // Running jobs (finished_at is null), and the time when the last one completed.
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

/** Log lines of jobs in order; deleted with their job. */
export const jobLogs = pgTable(
  'job_logs',
  {
    jobId: text()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    seq: integer().notNull(),
    message: text().notNull(),
    at: instant().notNull(),
    /** The progress of the job when the line was written, if the tool had reported any. */
    progress: real(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.seq] })],
);
