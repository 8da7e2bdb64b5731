import { z } from 'zod';
import { jobLineSchema, jobSummarySchema } from '../../calls/jobs/schema';
import { availabilitySchema } from '../../catalog/tools/schema';
import { apiKeySchema } from '../../identity/keys/schema';
import { accountLimitsSchema } from '../../identity/plans/schema';
import { paymentListSchema, statementSchema } from '../../money/billing/schema';
import { blockedKeysSchema } from '../../usage/attention-schema';
import { usageRecordSchema } from '../../usage/schema';
import { ACCOUNT_SORTS, MAX_REASON_LENGTH, MIN_REASON_LENGTH, TIME_SORTS } from './limits';

const id = z.string().min(1).max(100);
const cursor = z.string().min(1).max(200).optional();
/** Stored in the audit log. */
const reason = z
  .string()
  .trim()
  .min(MIN_REASON_LENGTH, 'Enter a reason of at least three characters.')
  .max(MAX_REASON_LENGTH);
/** An idempotency key that the form creates, so that submitting twice acts once. */
const formToken = z.string().regex(/^[0-9a-zA-Z-]{16,64}$/, 'Reload the page.');
const nextCursor = z.string().nullable();
const instant = z.iso.datetime();

export const doneSchema = z.object({ changed: z.boolean() });

// Overview

export const overviewSchema = z.object({
  accounts: z.object({ total: z.int(), provisional: z.int(), frozen: z.int(), teams: z.int() }),
  active_keys: z.int(),
  credit_usd: z.number(),
  held_usd: z.number(),
  debt_usd: z.number(),
  accounts_in_debt: z.int(),
  disputed_accounts: z.int(),
  jobs: z.object({ running: z.int(), queued: z.int(), stuck: z.int(), oldest_at: instant.nullable() }),
  failed_webhooks: z.int(),
  failed_mails: z.int(),
  open_refunds: z.int(),
  tools: z.object({ total: z.int(), unavailable: z.array(z.string()), failing: z.array(z.string()) }),
  reconcile: z.object({ id: z.string(), status: z.string(), at: instant, differences: z.int() }).nullable(),
  /** The next automatic run; null if there is none. */
  next_reconcile_at: instant.nullable(),
  /** The labels of background jobs whose last run failed. */
  failing_jobs: z.array(z.string()),
  open_alerts: z.int(),
  /** What confines untrusted code in this process; `warnings` is empty if everything does. */
  confinement: z.object({ protections: z.array(z.string()), warnings: z.array(z.string()) }),
  version: z.string(),
  database_bytes: z.number(),
  /** Processes that listen for notifications on this database. */
  processes: z.int(),
});

// Accounts

export const accountStatuses = ['provisional', 'personal', 'team', 'frozen', 'debt', 'closed'] as const;

export const accountsInput = z.object({
  q: z.string().trim().max(200).optional(),
  status: z.enum(accountStatuses).optional(),
  sort: z.enum(ACCOUNT_SORTS).optional(),
  cursor,
});

export const accountRowSchema = z.object({
  account_id: z.string(),
  type: z.enum(['provisional', 'personal', 'team']),
  name: z.string(),
  slug: z.string().nullable(),
  email: z.string().nullable(),
  balance_usd: z.number(),
  held_usd: z.number(),
  debt_usd: z.number(),
  spent_30d_usd: z.number(),
  frozen: z.boolean(),
  disputed: z.boolean(),
  closed: z.boolean(),
  created_at: instant,
});

export const accountListSchema = z.object({ accounts: z.array(accountRowSchema), next_cursor: nextCursor });

export const accountInput = z.object({ account_id: id });
export const accountPageInput = accountInput.extend({ cursor });

export const operatorCallSchema = usageRecordSchema
  .pick({
    id: true,
    tool: true,
    skill: true,
    status: true,
    error_code: true,
    cost_usd: true,
    latency_ms: true,
    key_id: true,
  })
  .extend({ finished_at: instant });

export const callListSchema = z.object({ calls: z.array(operatorCallSchema), next_cursor: nextCursor });

const refundSchema = z.object({
  id: z.string(),
  cents: z.int(),
  status: z.enum(['open', 'done', 'refused']),
  reason: z.string(),
  by: z.string(),
  problem: z.string().nullable(),
  created_at: instant,
});

export const operatorPaymentSchema = paymentListSchema.shape.payments.element.extend({
  /** The amount that can still be refunded. */
  left_usd: z.number(),
  refundable: z.boolean(),
  refunds: z.array(refundSchema),
});

export const operatorPaymentsSchema = z.object({
  payments: z.array(operatorPaymentSchema),
  next_cursor: nextCursor,
});

export const accountDetailSchema = accountRowSchema.extend({
  frozen_at: instant.nullable(),
  frozen_reason: z.string().nullable(),
  /** Whether the person has turned on two-step verification. */
  second_factor: z.boolean(),
  claimed_by: z.string().nullable(),
  closed_at: instant.nullable(),
  month_spent_usd: z.number(),
  monthly_limit_usd: z.number().nullable(),
  auto_reload: z.boolean(),
  running_calls: z.int(),
  keys: z.array(apiKeySchema),
  /** Those whose calls a limit refuses now. */
  blocked: blockedKeysSchema.shape.keys,
  members: z.array(
    z.object({ user_id: z.string(), email: z.string(), name: z.string().nullable(), role: z.string() }),
  ),
  statement: statementSchema,
  payments: operatorPaymentsSchema,
  calls: callListSchema,
  refusals: z.array(
    z.object({
      /** Null: the playground before its key exists, or beyond the bounds of what is counted. */
      key_id: z.string().nullable(),
      error_code: z.string(),
      limit: z.string().nullable(),
      refused: z.number(),
      last_at: instant,
      in_force: z.boolean(),
      /** When the limit in force resets; null: when it is changed. */
      retry_at: instant.nullable(),
    }),
  ),
  limits: accountLimitsSchema,
});

export const grantInput = accountInput.extend({
  amount_usd: z.number().positive().max(100_000),
  reason,
  form: formToken,
});
export const grantedSchema = z.object({ granted: z.boolean(), balance_usd: z.number() });
export const freezeInput = accountInput.extend({ reason });
export const revokeKeyInput = accountInput.extend({ key_id: id });
export const refundInput = accountInput.extend({
  payment_id: id,
  cents: z.int().min(1).max(100_000_000),
  reason,
  form: formToken,
});
export const refundedSchema = z.object({
  refund_id: z.string(),
  status: z.enum(['open', 'done', 'refused']),
});

// Tools

export const toolPeriods = ['1h', '24h', '30d'] as const;
export const toolsInput = z.object({ period: z.enum(toolPeriods).default('24h') });
export const toolInput = z.object({ tool: id, period: z.enum(toolPeriods).default('24h') });

const healthSchema = z.object({
  calls: z.int(),
  /** Without those whose input or provider key was at fault: what a success rate is of. */
  valid_calls: z.int(),
  failed: z.int(),
  revenue_usd: z.number(),
  p50_ms: z.number().nullable(),
  p99_ms: z.number().nullable(),
  last_error_at: instant.nullable(),
});

const availabilityShape = {
  availability: availabilitySchema,
  /** Why it is not ready, and how to fix that. */
  unavailable: z.string().nullable(),
};

export const operatorToolSchema = healthSchema.extend({
  name: z.string(),
  display_name: z.string(),
  skills: z.int(),
  ...availabilityShape,
  /** Switched off by an operator. */
  off: z.boolean(),
  imported: z.enum(['approved', 'news', 'changed', 'error', 'disabled']).nullable(),
});

export const operatorToolsSchema = z.object({ tools: z.array(operatorToolSchema) });

const priceSchema = z.object({
  platform_fee_usd: z.number(),
  provider_cost_usd: z.number(),
  unit: z.string(),
});

export const toolDetailSchema = operatorToolSchema.extend({
  off_reason: z.string().nullable(),
  skill_rows: z.array(healthSchema.extend({ name: z.string(), ...availabilityShape, price: priceSchema })),
  errors: z.array(z.object({ skill: z.string(), code: z.string(), count: z.int(), last_at: instant })),
  source: z
    .object({
      kind: z.enum(['openapi', 'mcp-http', 'mcp-stdio']),
      address: z.string(),
      checked_at: instant.nullable(),
      problem: z.string().nullable(),
      pending_hash: z.string().nullable(),
      differences: z.array(
        z.object({
          skill: z.string(),
          kind: z.enum(['added', 'removed', 'changed', 'extended']),
          parts: z.array(z.object({ part: z.string(), before: z.string(), after: z.string() })),
        }),
      ),
      price: z.object({ platform_fee_usd: z.number(), provider_cost_usd: z.number() }),
    })
    .nullable(),
});

export const switchInput = z.object({ tool: id, off: z.boolean(), reason });
export const priceInput = z.object({
  tool: id,
  /** Null for all skills without a price of their own. */
  skill: id.nullable(),
  platform_fee_usd: z.number().min(0).max(1_000),
  provider_cost_usd: z.number().min(0).max(1_000),
  reason,
});
export const approveInput = z.object({ tool: id, hash: z.string().min(1).max(200) });
export const approvedSchema = z.object({ differences: z.int() });
export const checkInput = z.object({ tool: id });
export const checkedSchema = z.object({ state: z.string(), problem: z.string().nullable() });

// Jobs

export const jobStatuses = ['running', 'queued', 'stuck', 'completed', 'failed', 'cancelled'] as const;
export const operatorJobsInput = z.object({
  status: z.enum(jobStatuses).optional(),
  tool: id.optional(),
  /** Its id, or a part of its email address or name. */
  account_id: z.string().trim().min(1).max(100).optional(),
  /** Only jobs created more than this many minutes ago. */
  older_minutes: z.int().min(1).max(100_000).optional(),
  sort: z.enum(TIME_SORTS).optional(),
  cursor,
});

export const operatorJobSchema = jobSummarySchema.extend({
  account_id: z.string(),
  /** A team's name, or a person's email address. */
  account_name: z.string(),
  queued: z.boolean(),
  /** Its lease has expired, but it has not been ended yet. */
  stuck: z.boolean(),
  attempts: z.int(),
});

export const operatorJobsSchema = z.object({
  jobs: z.array(operatorJobSchema),
  next_cursor: nextCursor,
  depth: z.object({ running: z.int(), queued: z.int(), stuck: z.int(), oldest_at: instant.nullable() }),
  tools: z.array(z.string()),
});

export const jobIdInput = z.object({ job_id: id });
export const operatorJobDetailSchema = operatorJobSchema.extend({ log: z.array(jobLineSchema) });

// Webhooks and emails

export const eventStates = ['failed', 'received', 'processed'] as const;
export const eventsInput = z.object({ state: z.enum(eventStates).optional(), cursor });
export const eventSchema = z.object({
  id: z.string(),
  type: z.string(),
  state: z.enum(eventStates),
  outcome: z.enum(['applied', 'ignored']).nullable(),
  attempts: z.int(),
  error: z.string().nullable(),
  payment_id: z.string().nullable(),
  /** Whether enough of the event is stored to process it again. */
  replayable: z.boolean(),
  received_at: instant,
  finished_at: instant.nullable(),
});
export const mailRowSchema = z.object({
  id: z.string(),
  kind: z.string(),
  account_id: z.string(),
  account_name: z.string(),
  attempts: z.int(),
  given_up: z.boolean(),
  error: z.string().nullable(),
  due_at: instant,
  created_at: instant,
});
export const eventListSchema = z.object({
  events: z.array(eventSchema),
  next_cursor: nextCursor,
  failed: z.int(),
  /** Emails with a failed attempt that are not sent yet, newest first. */
  mails: z.array(mailRowSchema),
});
export const eventIdInput = z.object({ event_id: id });
export const replayedSchema = z.object({ id: z.string(), error: z.string().nullable() });
export const replayedAllSchema = z.object({ worked: z.int(), failed: z.int() });
export const mailIdInput = z.object({ mail_id: z.string().regex(/^\d{1,18}$/) });

// Reconcile

export const reconcileRunSchema = z.object({
  id: z.string(),
  by: z.string(),
  status: z.enum(['running', 'interrupted', 'ok', 'differences', 'failed']),
  asked_provider: z.boolean(),
  provider_payments: z.int().nullable(),
  checks_done: z.int(),
  checks: z.int(),
  counted: z.record(z.string(), z.number()).nullable(),
  difference_count: z.int(),
  differences: z.array(
    z.object({ check: z.string(), subject: z.string(), expected: z.string(), actual: z.string() }),
  ),
  problem: z.string().nullable(),
  created_at: instant,
  finished_at: instant.nullable(),
});
export const reconcileListInput = z.object({ cursor });
export const reconcileListSchema = z.object({ runs: z.array(reconcileRunSchema), next_cursor: nextCursor });
export const reconcileRunInput = z.object({ ask_provider: z.boolean() });
export const reconcileStartedSchema = z.object({ id: z.string() });

// Audit

export const auditFilterSchema = z.object({
  actor: z.string().trim().max(200).optional(),
  action: z.string().trim().max(100).optional(),
  /** Its id, or a part of its email address or name. */
  account_id: z.string().trim().max(100).optional(),
  /** Days in UTC, both included. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
});
export const auditInput = auditFilterSchema.extend({ sort: z.enum(TIME_SORTS).optional(), cursor });
export const auditRowSchema = z.object({
  id: z.string(),
  at: instant,
  actor: z.string(),
  /** The email address of a person, the name of a key. */
  actor_name: z.string().nullable(),
  action: z.string(),
  account_id: z.string().nullable(),
  account_name: z.string().nullable(),
  target: z.string().nullable(),
  target_name: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  request_id: z.string().nullable(),
});
export const auditListSchema = z.object({ events: z.array(auditRowSchema), next_cursor: nextCursor });

export type Overview = z.infer<typeof overviewSchema>;
export type AccountRow = z.infer<typeof accountRowSchema>;
export type AccountList = z.infer<typeof accountListSchema>;
export type AccountDetail = z.infer<typeof accountDetailSchema>;
export type AccountsInput = z.infer<typeof accountsInput>;
export type CallList = z.infer<typeof callListSchema>;
export type OperatorPayment = z.infer<typeof operatorPaymentSchema>;
export type OperatorPayments = z.infer<typeof operatorPaymentsSchema>;
export type OperatorTool = z.infer<typeof operatorToolSchema>;
export type ToolDetail = z.infer<typeof toolDetailSchema>;
export type ToolPeriod = (typeof toolPeriods)[number];
export type OperatorJob = z.infer<typeof operatorJobSchema>;
export type OperatorJobs = z.infer<typeof operatorJobsSchema>;
export type OperatorJobsInput = z.infer<typeof operatorJobsInput>;
export type OperatorJobDetail = z.infer<typeof operatorJobDetailSchema>;
export type EventRow = z.infer<typeof eventSchema>;
export type EventList = z.infer<typeof eventListSchema>;
export type MailRow = z.infer<typeof mailRowSchema>;
export type ReconcileRun = z.infer<typeof reconcileRunSchema>;
export type ReconcileList = z.infer<typeof reconcileListSchema>;
export type AuditRow = z.infer<typeof auditRowSchema>;
export type AuditList = z.infer<typeof auditListSchema>;
export type AuditFilter = z.infer<typeof auditFilterSchema>;
export type AuditInput = z.infer<typeof auditInput>;
