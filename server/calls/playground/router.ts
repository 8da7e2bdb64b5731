import { router, sessionProcedure } from '../../core/trpc/procedures';
import { callResultSchema } from '../result/schema';
import { dryRunResultSchema } from '../schema';
import { playgroundCallInput } from './schema';
import { checkCall, tryCall } from './try-call';

export const playgroundRouter = router({
  // A mutation, so that the input travels in a body and never in an address.
  dryRun: sessionProcedure
    .input(playgroundCallInput)
    .output(dryRunResultSchema)
    .mutation(({ ctx, input }) => checkCall(ctx, input)),

  // Its events go by reply.events where the request asks for them: POST /dashboard/playground/run does.
  run: sessionProcedure
    .input(playgroundCallInput)
    .output(callResultSchema)
    .mutation(({ ctx, input }) => tryCall(ctx, input)),
});
