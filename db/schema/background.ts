import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { instant } from '../columns';

/** The last run of each background job in any process, and when the next one is due. */
export const backgroundJobs = pgTable('background_jobs', {
  name: text().primaryKey(),
  /** Null for a job that people start. */
  everySeconds: integer(),
  /** Null before the first run. */
  startedAt: instant(),
  durationMs: integer(),
  ok: boolean(),
  /** Why the last run failed. */
  error: text(),
  /** The first failure since the last success. */
  failingAt: instant(),
  nextAt: instant(),
  updatedAt: instant().notNull().defaultNow(),
});

/** Probe samples of a part of the gateway, added up by UTC day; retained for 90 days. */
export const statusDays = pgTable(
  'status_days',
  {
    component: text().notNull(),
    day: date({ mode: 'string' }).notNull(),
    /** One a minute; minutes in which nothing probed are failed samples of the API. */
    samples: integer().notNull(),
    degraded: integer().notNull(),
    failed: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.component, table.day] }),
    check('status_days_counts', sql`degraded >= 0 and failed >= 0 and degraded + failed <= samples`),
  ],
);

export interface IncidentUpdate {
  at: string;
  state: 'investigating' | 'identified' | 'monitoring' | 'resolved';
  message: string;
}

/** Incidents that operators post on the status page. */
export const incidents = pgTable(
  'incidents',
  {
    id: text().primaryKey(),
    title: text().notNull(),
    impact: text().$type<'minor' | 'major'>().notNull(),
    /** Oldest first. */
    updates: jsonb().$type<IncidentUpdate[]>().notNull(),
    createdBy: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    resolvedAt: instant(),
  },
  (table) => [
    index('incidents_created').on(table.createdAt),
    check('incidents_impact_known', sql`impact in ('minor', 'major')`),
  ],
);

/** Problems that operators are alerted to: one open row for each cause. */
export const operatorAlerts = pgTable(
  'operator_alerts',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Identifies the problem, such as `tool:text`. */
    cause: text().notNull(),
    title: text().notNull(),
    /** The operator's page about it. */
    path: text().notNull(),
    openedAt: instant().notNull().defaultNow(),
    /** When the last notice was queued. */
    notifiedAt: instant().notNull().defaultNow(),
    resolvedAt: instant(),
  },
  (table) => [
    uniqueIndex('operator_alerts_open').on(table.cause).where(sql`resolved_at is null`),
    index('operator_alerts_resolved').on(table.resolvedAt),
  ],
);

/** Notices of alerts to be sent; deleted after 30 days. */
export const alertMessages = pgTable(
  'alert_messages',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    channel: text().$type<'email' | 'webhook'>().notNull(),
    /** The address of an email; null for the webhook. */
    recipient: text(),
    kind: text().$type<'opened' | 'reminder' | 'resolved' | 'test'>().notNull(),
    title: text().notNull(),
    path: text().notNull(),
    attempts: integer().notNull().default(0),
    dueAt: instant().notNull().defaultNow(),
    sentAt: instant(),
    error: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    index('alert_messages_due').on(table.dueAt).where(sql`sent_at is null`),
    index('alert_messages_created').on(table.createdAt),
    check('alert_messages_channel_known', sql`channel in ('email', 'webhook')`),
  ],
);
