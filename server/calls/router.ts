import { z } from 'zod';
import { cachedKeyProcedure, keyProcedure, router } from '../core/trpc/procedures';
import { runBatch } from './batch/run-batch';
import { payForCall } from './payment/pay-for-call';
import { dryRunCall } from './prepare/dry-run';
import { addBatchReceipts, addReceipt } from './receipts/attach-receipts';
import { recordingProcedure } from './refusals/record-refusals';
import { runCall } from './run-call';
import { batchInput, batchResultSchema, callInput, callResponseSchema, jobEventsInput } from './schema';
import { resumeStream } from './stream/resume-stream';
import { streamCall } from './stream/stream-call';

export const callsRouter = router({
  run: recordingProcedure
    .concat(cachedKeyProcedure)
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/tools/call',
        operationId: 'callTool',
        tags: ['Calls'],
        summary: 'Call a tool',
        description:
          'Runs one skill and charges its price on success; a call that fails costs nothing. With dry_run the call is only checked and priced, and its quote fixes the price for ten minutes: send it as quote_id. With max_cost_usd a call that can cost more is refused.',
        protect: true,
      },
      rest: {
        rateLimited: true,
        prefer: true,
        receipt: true,
        providerKeys: true,
        idempotent: true,
        fromModels: true,
        streams: true,
        payPerCall: true,
        errors: [
          'INVALID_INPUT',
          'AUTH_REQUIRED',
          'AUTH_FAILED',
          'MISSING_CREDENTIALS',
          'INSUFFICIENT_CREDITS',
          'COST_LIMIT_EXCEEDED',
          'CLAIM_REQUIRED',
          'FORBIDDEN',
          'TOOL_NOT_ALLOWED',
          'TOOL_NOT_FOUND',
          'SKILL_NOT_FOUND',
          'RATE_LIMIT_EXCEEDED',
          'SPENDING_LIMIT_EXCEEDED',
          'ASSET_NOT_FOUND',
          'HANDLER_ERROR',
          'TOOL_UNAVAILABLE',
          'JOBS_DISABLED',
        ],
      },
    })
    .input(callInput)
    .output(callResponseSchema)
    .mutation(({ ctx, input }) => {
      if (ctx.payer) return payForCall(ctx, ctx.payer, input, runCall);
      if (input.dry_run) return dryRunCall(ctx, input);
      const result = ctx.wantsEvents ? streamCall(ctx, input) : runCall(ctx, input);
      return ctx.wantsReceipt ? result.then((ended) => addReceipt(ctx, ended)) : result;
    }),

  batch: recordingProcedure
    .concat(keyProcedure)
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/tools/batch',
        operationId: 'callTools',
        tags: ['Calls'],
        summary: 'Call up to ten tools at once',
        description:
          'Runs the calls in parallel, up to the concurrency limit of the key; the others wait. Each call is limited, charged and fails independently; its entry in results has the outcome.',
        protect: true,
      },
      rest: {
        rateLimited: true,
        prefer: true,
        providerKeys: true,
        idempotent: true,
        fromModels: true,
        errors: [
          'INVALID_INPUT',
          'AUTH_REQUIRED',
          'AUTH_FAILED',
          'COST_LIMIT_EXCEEDED',
          'FORBIDDEN',
          'RATE_LIMIT_EXCEEDED',
        ],
      },
    })
    .input(batchInput)
    .output(batchResultSchema)
    .mutation(({ ctx, input }) => {
      const results = runBatch(ctx, input);
      return ctx.wantsReceipt ? results.then((ended) => addBatchReceipts(ctx, ended)) : results;
    }),

  resume: keyProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/jobs/{jobId}/events',
        operationId: 'streamJob',
        tags: ['Jobs'],
        summary: 'Resume the stream of a call',
        description:
          'The events of a call after the one named by Last-Event-ID, or all of them, up to its result: while it runs, in whichever process, and afterwards as long as the job exists. None is lost and none repeated. After the last event the answer is 204.',
        protect: true,
      },
      rest: {
        events: true,
        errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'NOT_FOUND', 'JOBS_DISABLED'],
      },
    })
    .input(jobEventsInput)
    // The events go through reply.events.
    .output(z.void())
    .query(({ ctx, input }) => resumeStream(ctx, input)),
});
