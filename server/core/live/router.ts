import { router, sessionProcedure } from '../trpc/procedures';
import { getToken } from './get-token';
import { liveTokenSchema } from './schema';

export const liveRouter = router({
  token: sessionProcedure.output(liveTokenSchema).query(({ ctx }) => getToken(ctx.runtime, ctx.actor)),
});
