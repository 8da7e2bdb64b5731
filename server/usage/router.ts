import { accountProcedure, router } from '../trpc/procedures';
import { getUsage } from './get-usage';
import { listHistory } from './list-history';
import { usageHistoryInput, usageHistorySchema, usageInput, usageSummarySchema } from './schema';

export const usageRouter = router({
  summary: accountProcedure
    .meta({
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
});
