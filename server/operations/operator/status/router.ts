import { openProcedure, operatorProcedure, router } from '../../../core/trpc/procedures';
import { toActor } from '../operator';
import { doneSchema } from '../schema';
import { getStatus } from './get-status';
import { getIncidents, postIncident, updateIncident } from './post-incident';
import {
  incidentListSchema,
  postedIncidentSchema,
  postIncidentInput,
  statusSchema,
  updateIncidentInput,
} from './schema';

/** The public status page. */
export const statusRouter = router({
  get: openProcedure.output(statusSchema).query(({ ctx }) => getStatus(ctx.runtime)),
});

/** The incidents on the status page. */
export const incidentsRouter = router({
  list: operatorProcedure.output(incidentListSchema).query(({ ctx }) => getIncidents(ctx.runtime)),
  post: operatorProcedure
    .input(postIncidentInput)
    .output(postedIncidentSchema)
    .mutation(({ ctx, input }) => postIncident(ctx.runtime, toActor(ctx), input)),
  update: operatorProcedure
    .input(updateIncidentInput)
    .output(doneSchema)
    .mutation(({ ctx, input }) => updateIncident(ctx.runtime, toActor(ctx), input)),
});
