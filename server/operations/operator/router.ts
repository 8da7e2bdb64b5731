import { cancelAnyJob } from '../../calls/jobs/cancel-any-job';
import { operatorProcedure, router } from '../../core/trpc/procedures';
import { statementSchema } from '../../money/billing/schema';
import { replayEvent, replayFailedEvents } from '../../money/payments/replay-event';
import { resendEmail } from '../../notifications/email/resend-email';
import { freezeAccount, grantCredit, refundPayment, resetSecondFactor, revokeKey } from './act-on-account';
import { approve, check, setPrice } from './act-on-tool';
import { alertsRouter } from './alerts/router';
import { backgroundProcedure } from './background/router';
import { getAccount, getAccountCalls, getAccountPayments, getAccountStatement } from './get-account';
import { getOverview } from './get-overview';
import { getTool } from './get-tool';
import { getInsight } from './insight/get-insight';
import { getInsightRefusals } from './insight/get-refusals';
import { insightInput, insightRefusalsSchema, insightSchema } from './insight/schema';
import { listAccounts } from './list-accounts';
import { listAudit } from './list-audit';
import { listEvents } from './list-events';
import { getJob, listJobs } from './list-jobs';
import { listTools } from './list-tools';
import { toActor } from './operator';
import { plansRouter, promosRouter, signUpRouter } from './policy-router';
import { pricingRouter } from './pricing/router';
import { listReconcileRuns, startReconcile } from './run-reconcile';
import * as shapes from './schema';
import { incidentsRouter } from './status/router';
import { switchTool } from './switch-tool';

const accounts = router({
  list: operatorProcedure
    .input(shapes.accountsInput)
    .output(shapes.accountListSchema)
    .query(({ ctx, input }) => listAccounts(ctx.runtime, input)),
  get: operatorProcedure
    .input(shapes.accountInput)
    .output(shapes.accountDetailSchema)
    .query(({ ctx, input }) => getAccount(ctx, input.account_id)),
  statement: operatorProcedure
    .input(shapes.accountPageInput)
    .output(statementSchema)
    .query(({ ctx, input }) => getAccountStatement(ctx, input)),
  payments: operatorProcedure
    .input(shapes.accountPageInput)
    .output(shapes.operatorPaymentsSchema)
    .query(({ ctx, input }) => getAccountPayments(ctx.runtime, toActor(ctx), input)),
  calls: operatorProcedure
    .input(shapes.accountPageInput)
    .output(shapes.callListSchema)
    .query(({ ctx, input }) => getAccountCalls(ctx.runtime, toActor(ctx), input)),
  grant: operatorProcedure
    .input(shapes.grantInput)
    .output(shapes.grantedSchema)
    .mutation(({ ctx, input }) => grantCredit(ctx.runtime, toActor(ctx), input)),
  freeze: operatorProcedure
    .input(shapes.freezeInput)
    .output(shapes.doneSchema)
    .mutation(({ ctx, input }) => freezeAccount(ctx.runtime, toActor(ctx), input, true)),
  unfreeze: operatorProcedure
    .input(shapes.freezeInput)
    .output(shapes.doneSchema)
    .mutation(({ ctx, input }) => freezeAccount(ctx.runtime, toActor(ctx), input, false)),
  resetFactor: operatorProcedure
    .input(shapes.freezeInput)
    .output(shapes.doneSchema)
    .mutation(({ ctx, input }) => resetSecondFactor(ctx.runtime, toActor(ctx), input)),
  revokeKey: operatorProcedure
    .input(shapes.revokeKeyInput)
    .output(shapes.doneSchema)
    .mutation(({ ctx, input }) => revokeKey(ctx, input)),
  refund: operatorProcedure
    .input(shapes.refundInput)
    .output(shapes.refundedSchema)
    .mutation(({ ctx, input }) => refundPayment(ctx, input)),
});

const tools = router({
  list: operatorProcedure
    .input(shapes.toolsInput)
    .output(shapes.operatorToolsSchema)
    .query(({ ctx, input }) => listTools(ctx.runtime, input.period)),
  get: operatorProcedure
    .input(shapes.toolInput)
    .output(shapes.toolDetailSchema)
    .query(({ ctx, input }) => getTool(ctx.runtime, input.tool, input.period)),
  switch: operatorProcedure
    .input(shapes.switchInput)
    .output(shapes.doneSchema)
    .mutation(async ({ ctx, input: { reason, ...wanted } }) => ({
      changed: await switchTool(ctx.runtime, { ...toActor(ctx), reason }, wanted),
    })),
  setPrice: operatorProcedure
    .input(shapes.priceInput)
    .output(shapes.doneSchema)
    .mutation(({ ctx, input }) => setPrice(ctx.runtime, toActor(ctx), input)),
  approve: operatorProcedure
    .input(shapes.approveInput)
    .output(shapes.approvedSchema)
    .mutation(({ ctx, input }) => approve(ctx.runtime, toActor(ctx), input)),
  check: operatorProcedure
    .input(shapes.checkInput)
    .output(shapes.checkedSchema)
    .mutation(({ ctx, input }) => check(ctx.runtime, toActor(ctx), input.tool)),
});

const jobs = router({
  list: operatorProcedure
    .input(shapes.operatorJobsInput)
    .output(shapes.operatorJobsSchema)
    .query(({ ctx, input }) => listJobs(ctx.runtime, input)),
  get: operatorProcedure
    .input(shapes.jobIdInput)
    .output(shapes.operatorJobDetailSchema)
    .query(({ ctx, input }) =>
      getJob(ctx.runtime, toActor(ctx), { jobId: input.job_id, withLog: !ctx.operator.readOnly }),
    ),
  cancel: operatorProcedure
    .input(shapes.jobIdInput)
    .output(shapes.doneSchema)
    .mutation(async ({ ctx, input }) => {
      await cancelAnyJob(ctx.runtime, toActor(ctx), input.job_id);
      return { changed: true };
    }),
});

const webhooks = router({
  list: operatorProcedure
    .input(shapes.eventsInput)
    .output(shapes.eventListSchema)
    .query(({ ctx, input }) => listEvents(ctx.runtime, input)),
  replay: operatorProcedure
    .input(shapes.eventIdInput)
    .output(shapes.replayedSchema)
    .mutation(({ ctx, input }) => replayEvent(ctx.runtime, toActor(ctx), input.event_id)),
  replayAll: operatorProcedure.output(shapes.replayedAllSchema).mutation(async ({ ctx }) => {
    const results = await replayFailedEvents(ctx.runtime, toActor(ctx));
    return { worked: results.length, failed: results.filter(({ error }) => error !== null).length };
  }),
  resend: operatorProcedure
    .input(shapes.mailIdInput)
    .output(shapes.doneSchema)
    .mutation(async ({ ctx, input }) => {
      await resendEmail(ctx.runtime, toActor(ctx), BigInt(input.mail_id));
      return { changed: true };
    }),
});

const reconcile = router({
  list: operatorProcedure
    .input(shapes.reconcileListInput)
    .output(shapes.reconcileListSchema)
    .query(({ ctx, input }) => listReconcileRuns(ctx.runtime, input.cursor)),
  run: operatorProcedure
    .input(shapes.reconcileRunInput)
    .output(shapes.reconcileStartedSchema)
    .mutation(async ({ ctx, input }) => {
      const { id } = await startReconcile(ctx.runtime, toActor(ctx), input.ask_provider);
      return { id };
    }),
});

/** The operator's procedures; for everyone else they do not exist. */
export const operatorRouter = router({
  overview: operatorProcedure.output(shapes.overviewSchema).query(({ ctx }) => getOverview(ctx.runtime)),
  accounts,
  tools,
  pricing: pricingRouter,
  alerts: alertsRouter,
  incidents: incidentsRouter,
  background: backgroundProcedure,
  refusals: operatorProcedure
    .input(insightInput.pick({ period: true }))
    .output(insightRefusalsSchema)
    .query(({ ctx, input }) => getInsightRefusals(ctx.runtime, input.period)),
  insight: operatorProcedure
    .input(insightInput)
    .output(insightSchema)
    .query(({ ctx, input }) => getInsight(ctx.runtime, input)),
  jobs,
  webhooks,
  reconcile,
  plans: plansRouter,
  promos: promosRouter,
  signUp: signUpRouter,
  audit: operatorProcedure
    .input(shapes.auditInput)
    .output(shapes.auditListSchema)
    .query(({ ctx, input }) => listAudit(ctx.runtime, input)),
});
