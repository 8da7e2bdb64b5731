import { accountProcedure, router, sessionProcedure } from '../core/trpc/procedures';
import { attentionSchema, blockedKeysSchema, nearLimitsSchema } from './attention-schema';
import { getAttention } from './get-attention';
import { getCall, getCallRecord } from './get-call';
import { getChoices } from './get-choices';
import { getErrorReport, getErrors } from './get-errors';
import { getKeySpend } from './get-key-spend';
import { getNearLimits } from './get-near-limits';
import { getBlockedKeys, getRefusalReport, getRefusals } from './get-refusals';
import { getReport } from './get-report';
import { getUsage } from './get-usage';
import { getUsageOverview } from './get-usage-overview';
import { listCalls } from './list-calls';
import { listHistory } from './list-history';
import { refusalReportSchema, usageRefusalsInput, usageRefusalsSchema } from './refusals-schema';
import {
  keySpendInput,
  keySpendSchema,
  usageBillingInput,
  usageCallInput,
  usageCallRecordInput,
  usageCallRecordSchema,
  usageCallsInput,
  usageCallsSchema,
  usageCallWithDetailsSchema,
  usageChoicesSchema,
  usageErrorsInput,
  usageErrorsSchema,
  usageFilterSchema,
  usageHistoryInput,
  usageHistorySchema,
  usageInput,
  usageOverviewSchema,
  usageReportSchema,
  usageSummarySchema,
} from './schema';

const sessionReport = sessionProcedure.meta({ reads: 'report' });

export const usageRouter = router({
  summary: accountProcedure
    .meta({
      reads: 'report',
      openapi: {
        method: 'GET',
        path: '/v1/usage',
        operationId: 'getUsage',
        tags: ['Usage'],
        summary: 'Sum up usage',
        description: 'Calls and cost of a period, by tool, key and time.',
        protect: true,
      },
      rest: { errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'NOT_FOUND'] },
    })
    .input(usageInput)
    .output(usageSummarySchema)
    .query(({ ctx, input }) => getUsage(ctx.runtime, ctx.actor, input)),

  history: accountProcedure
    .meta({
      reads: 'report',
      openapi: {
        method: 'GET',
        path: '/v1/usage/history',
        operationId: 'listUsageHistory',
        tags: ['Usage'],
        summary: 'List calls',
        description: 'Calls that ended, newest first, a page at a time.',
        protect: true,
      },
      rest: { errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'NOT_FOUND'] },
    })
    .input(usageHistoryInput)
    .output(usageHistorySchema)
    .query(({ ctx, input }) => listHistory(ctx.runtime, ctx.actor, input)),

  record: accountProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/usage/calls/{call_id}',
        operationId: 'getUsageCall',
        tags: ['Usage'],
        summary: 'Get a call',
        description: 'A call that ended: why it failed, when it ran, and what it was charged.',
        protect: true,
      },
      rest: { errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'NOT_FOUND'] },
    })
    .input(usageCallRecordInput)
    .output(usageCallRecordSchema)
    .query(({ ctx, input }) => getCallRecord(ctx.runtime, ctx.actor, input.call_id, ctx.hintWords)),

  errors: accountProcedure
    .meta({
      reads: 'report',
      openapi: {
        method: 'GET',
        path: '/v1/usage/errors',
        operationId: 'getUsageErrors',
        tags: ['Usage'],
        summary: 'Sum up errors',
        description: 'Failed calls of a period by tool and error code, the most frequent first.',
        protect: true,
      },
      rest: { errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'NOT_FOUND'] },
    })
    .input(usageErrorsInput)
    .output(usageErrorsSchema)
    .query(({ ctx, input }) => getErrors(ctx.runtime, ctx.actor, input)),

  errorReport: sessionReport
    .input(usageFilterSchema)
    .output(usageErrorsSchema)
    .query(({ ctx, input }) => getErrorReport(ctx.runtime, ctx.actor, input)),

  refusals: accountProcedure
    .meta({
      reads: 'report',
      openapi: {
        method: 'GET',
        path: '/v1/usage/refusals',
        operationId: 'getUsageRefusals',
        tags: ['Usage'],
        summary: 'Sum up refused calls',
        description:
          'Calls that were refused before they ran, such as by a limit: by code, tool and key, and the last 100. They cost nothing and are not in usage.',
        protect: true,
      },
      rest: { errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'NOT_FOUND'] },
    })
    .input(usageRefusalsInput)
    .output(usageRefusalsSchema)
    .query(({ ctx, input }) => getRefusals(ctx.runtime, ctx.actor, input)),

  refusalReport: sessionReport
    .input(usageFilterSchema)
    .output(refusalReportSchema)
    .query(({ ctx, input }) => getRefusalReport(ctx.runtime, ctx.actor, input)),

  blockedKeys: sessionReport
    .input(usageBillingInput)
    .output(blockedKeysSchema)
    .query(({ ctx, input }) => getBlockedKeys(ctx.runtime, ctx.actor, input.billing)),

  keySpend: sessionReport
    .input(keySpendInput)
    .output(keySpendSchema)
    .query(({ ctx, input }) => getKeySpend(ctx.runtime, ctx.actor, input)),

  attention: sessionReport
    .input(usageBillingInput)
    .output(attentionSchema)
    .query(({ ctx, input }) => getAttention(ctx.runtime, ctx.actor, input.billing)),

  nearLimits: sessionReport
    .input(usageBillingInput)
    .output(nearLimitsSchema)
    .query(({ ctx, input }) => getNearLimits(ctx.runtime, ctx.actor, input.billing)),

  report: sessionReport
    .input(usageFilterSchema)
    .output(usageReportSchema)
    .query(({ ctx, input }) => getReport(ctx.runtime, ctx.actor, input)),

  calls: sessionReport
    .input(usageCallsInput)
    .output(usageCallsSchema)
    .query(({ ctx, input }) => listCalls(ctx.runtime, ctx.actor, input)),

  get: sessionProcedure
    .input(usageCallInput)
    .output(usageCallWithDetailsSchema)
    .query(({ ctx, input }) => getCall(ctx.runtime, ctx.actor, input.id)),

  choices: sessionReport
    .input(usageBillingInput)
    .output(usageChoicesSchema)
    .query(({ ctx, input }) => getChoices(ctx.runtime, ctx.actor, input.billing)),

  glance: sessionReport
    .input(usageBillingInput)
    .output(usageOverviewSchema)
    .query(({ ctx, input }) => getUsageOverview(ctx.runtime, ctx.actor, input.billing)),
});
