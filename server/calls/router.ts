import { keyProcedure, router } from '../trpc/procedures';
import { dryRunCall } from './dry-run';
import { runCall } from './run-call';
import { callInput, callResponseSchema } from './schema';

export const callsRouter = router({
  run: keyProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/tools/call',
        operationId: 'callTool',
        tags: ['Calls'],
        summary: 'Call a tool',
        description:
          'Runs one skill and charges its price on success; a call that fails costs nothing. With dry_run it is only checked and priced.',
        protect: true,
      },
      rest: {
        rateLimited: true,
        errors: [
          'INVALID_INPUT',
          'AUTH_REQUIRED',
          'AUTH_FAILED',
          'MISSING_CREDENTIALS',
          'INSUFFICIENT_CREDITS',
          'CLAIM_REQUIRED',
          'FORBIDDEN',
          'TOOL_NOT_FOUND',
          'SKILL_NOT_FOUND',
          'RATE_LIMIT_EXCEEDED',
          'SPENDING_LIMIT_EXCEEDED',
          'HANDLER_ERROR',
        ],
      },
    })
    .input(callInput)
    .output(callResponseSchema)
    .mutation(({ ctx, input }) => (input.dry_run ? dryRunCall(ctx, input) : runCall(ctx, input))),
});
