import { operatorProcedure, router } from '../../../core/trpc/procedures';
import { toActor } from '../operator';
import { alertsSchema, testedSchema } from './schema';
import { getAlerts, sendTestAlert } from './test-alert';

/** Alerts to operators. */
export const alertsRouter = router({
  get: operatorProcedure.output(alertsSchema).query(({ ctx }) => getAlerts(ctx.runtime)),
  test: operatorProcedure
    .output(testedSchema)
    .mutation(({ ctx }) => sendTestAlert(ctx.runtime, toActor(ctx))),
});
