import { operatorProcedure } from '../../../core/trpc/procedures';
import { listBackground } from './list-jobs';
import { backgroundJobsSchema } from './schema';

/** The runs of background jobs. */
export const backgroundProcedure = operatorProcedure
  .output(backgroundJobsSchema)
  .query(({ ctx }) => listBackground(ctx.runtime));
