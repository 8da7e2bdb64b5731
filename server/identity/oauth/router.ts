import { z } from 'zod';
import { router, sessionProcedure } from '../../core/trpc/procedures';
import { approveRequest } from './approve-request';
import { describeRequest } from './describe-request';
import { disconnect } from './disconnect';
import { limitConnection } from './limit-connection';
import { listConnections } from './list-connections';
import {
  approvedSchema,
  approveInput,
  authorizationRequestSchema,
  connectionLimitInput,
  connectionListSchema,
  describedRequestSchema,
  disconnectInput,
} from './schema';

const done = z.object({ success: z.literal(true) });

export const oauthRouter = router({
  describe: sessionProcedure
    .input(authorizationRequestSchema)
    .output(describedRequestSchema)
    .query(({ ctx, input }) => describeRequest(ctx.runtime, ctx.actor, input)),

  approve: sessionProcedure
    .input(approveInput)
    .output(approvedSchema)
    .mutation(({ ctx, input }) => approveRequest(ctx.runtime, ctx.actor, input)),

  connections: sessionProcedure
    .output(connectionListSchema)
    .query(({ ctx }) => listConnections(ctx.runtime, ctx.actor)),

  limit: sessionProcedure
    .input(connectionLimitInput)
    .output(done)
    .mutation(({ ctx, input }) => limitConnection(ctx.runtime, ctx.actor, input)),

  disconnect: sessionProcedure
    .meta({ whileFrozen: true })
    .input(disconnectInput)
    .output(done)
    .mutation(({ ctx, input }) => disconnect(ctx.runtime, ctx.actor, input.id)),
});
