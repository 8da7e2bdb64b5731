import { accountProcedure, keyProcedure, router, sessionProcedure } from '../../core/trpc/procedures';
import { addJobReceipt } from '../receipts/attach-receipts';
import { cancelJob } from './cancel-job';
import { getJob } from './get-job';
import { getOwnJob } from './get-own-job';
import { listJobFacets } from './list-job-facets';
import { listJobs, listOwnJobs } from './list-jobs';
import {
  cancelJobInput,
  cancelledSchema,
  jobFacetsSchema,
  jobInput,
  jobListSchema,
  jobSchema,
  jobsInput,
  ownJobDetailSchema,
  ownJobListSchema,
  ownJobsInput,
} from './schema';

export const jobsRouter = router({
  list: accountProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/jobs',
        operationId: 'listJobs',
        tags: ['Jobs'],
        summary: 'List jobs',
        description:
          'Jobs of the account, newest first, a page at a time; a restricted key sees its own. poll_url returns the log and result of one.',
        protect: true,
      },
      rest: { errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'NOT_FOUND', 'JOBS_DISABLED'] },
    })
    .input(jobsInput)
    .output(jobListSchema)
    .query(({ ctx, input }) => listJobs(ctx, input)),

  get: keyProcedure
    .meta({
      reads: 'follow',
      openapi: {
        method: 'GET',
        path: '/v1/jobs/{jobId}',
        operationId: 'getJob',
        tags: ['Jobs'],
        summary: 'Get a job',
        description:
          'Returns at once if the job has ended; otherwise waits up to 30 seconds for it to end. Prefer: wait=N shortens the wait.',
        protect: true,
      },
      rest: {
        prefer: true,
        receipt: true,
        errors: [
          'INVALID_INPUT',
          'AUTH_REQUIRED',
          'AUTH_FAILED',
          'NOT_FOUND',
          'RATE_LIMIT_EXCEEDED',
          'JOBS_DISABLED',
        ],
      },
    })
    .input(jobInput)
    .output(jobSchema)
    .query(async ({ ctx, input }) => {
      const job = await getJob(ctx, input.jobId);
      return ctx.wantsReceipt ? await addJobReceipt(ctx, job) : job;
    }),

  cancel: keyProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/jobs/{jobId}/cancel',
        operationId: 'cancelJob',
        tags: ['Jobs'],
        summary: 'Cancel a running job',
        description: 'Stops the tool. A cancelled job is charged nothing.',
        protect: true,
      },
      rest: { errors: ['AUTH_REQUIRED', 'AUTH_FAILED', 'JOB_NOT_RUNNING', 'JOBS_DISABLED'] },
    })
    .input(cancelJobInput)
    .output(cancelledSchema)
    .mutation(({ ctx, input }) => cancelJob(ctx, input.jobId)),

  listOwn: sessionProcedure
    .input(ownJobsInput)
    .output(ownJobListSchema)
    .query(({ ctx, input }) => listOwnJobs(ctx, input)),

  getOwn: sessionProcedure
    .input(jobInput)
    .output(ownJobDetailSchema)
    .query(({ ctx, input }) => getOwnJob(ctx, input.jobId)),

  facetsOwn: sessionProcedure.output(jobFacetsSchema).query(({ ctx }) => listJobFacets(ctx)),

  cancelOwn: sessionProcedure
    .input(jobInput)
    .output(cancelledSchema)
    .mutation(({ ctx, input }) => cancelJob(ctx, input.jobId)),
});
