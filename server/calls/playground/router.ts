import { z } from 'zod';
import { router, sessionProcedure } from '../../core/trpc/procedures';
import { recordingProcedure } from '../refusals/record-refusals';
import { callResultSchema } from '../result/schema';
import { dryRunResultSchema, jobEventsInput } from '../schema';
import { playgroundCallInput } from './schema';
import { checkCall, resumeCall, tryCall } from './try-call';

export const playgroundRouter = router({
  // A mutation, so that the input is in the body and never in the URL.
  dryRun: sessionProcedure
    .input(playgroundCallInput)
    .output(dryRunResultSchema)
    .mutation(({ ctx, input }) => checkCall(ctx, input)),

  // Events go through reply.events if the request accepts them: POST /dashboard/playground/run.
  run: recordingProcedure
    .concat(sessionProcedure)
    .input(playgroundCallInput)
    .output(callResultSchema)
    .mutation(({ ctx, input }) => tryCall(ctx, input)),

  // The same, for GET /api/live/jobs/{id}/events.
  resume: sessionProcedure
    .input(jobEventsInput)
    .output(z.void())
    .query(({ ctx, input }) => resumeCall(ctx, input)),
});
