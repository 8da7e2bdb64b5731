import { z } from 'zod';
import { queryInteger } from '../../kit/query-integer';
import { strictInput } from '../../kit/strict-input';
import { callResultSchema, callUsageSchema } from '../result/schema';
import { MAX_FILTER_LENGTH } from './limits';

export const jobInput = z.object({
  jobId: z.string().min(1).max(64).describe('The job_id of a 202 response.'),
});

export const cancelJobInput = strictInput(jobInput.shape, ['jobId']);

export const jobSchema = z
  .looseObject({
    jobId: z.string(),
    job_id: z.string().describe('The same as jobId.'),
    call_id: z.string().describe('For GET /v1/usage/calls/{call_id} once it has ended.'),
    status: z
      .enum(['pending', 'running', 'completed', 'failed', 'cancelled'])
      .describe('pending → running → completed, failed or cancelled.'),
    tool: z.string(),
    skill: z.string(),
    logs: z.array(z.string()).describe('Log lines of the tool so far, in order.'),
    elapsed_seconds: z.number().describe('From the call to its end, or until now.'),
    progress: z.number().min(0).max(1).optional().describe('Progress, if the tool reports it.'),
    result: callResultSchema.optional().describe('On completed.'),
    output: z.record(z.string(), z.unknown()).optional().describe("On completed: the result's output."),
    usage: callUsageSchema.optional().describe('On completed: what was charged.'),
    error: z.string().optional().describe('On failed and cancelled: why.'),
    error_code: z.string().optional(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().optional(),
  })
  .meta({ id: 'Job' });

export const cancelledSchema = z
  .looseObject({ cancelled: z.literal(true), job_id: z.string() })
  .meta({ id: 'JobCancelled' });

export const jobsInput = z.object({
  status: jobSchema.shape.status.describe('Only jobs in this state.').optional(),
  tool: z.string().min(1).max(MAX_FILTER_LENGTH).describe('Only jobs of this tool.').optional(),
  key_id: z.string().min(1).max(MAX_FILTER_LENGTH).describe('Only jobs of this key.').optional(),
  limit: queryInteger({ min: 1, max: 500, fallback: 50, about: 'At most this many.' }),
  cursor: z.string().min(1).max(200).describe('next_cursor from the previous page.').optional(),
});

/** A job in a list: without its log and result, which poll_url returns. */
export const jobSummarySchema = z
  .looseObject({
    job_id: z.string(),
    call_id: z.string(),
    status: jobSchema.shape.status,
    tool: z.string(),
    skill: z.string(),
    progress: z.number().nullable(),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
    elapsed_seconds: z.number().describe('From the call to its end, or until now.'),
    cost_usd: z.number().nullable().describe('Null until the job has ended.'),
    key_id: z.string(),
    key_name: z.string(),
    billing: z.string().describe('The account charged: personal, or the slug of a team.'),
    error: z.string().nullable(),
    error_code: z.string().nullable(),
    poll_url: z.string(),
  })
  .meta({ id: 'JobSummary' });

export const jobListSchema = z
  .looseObject({ jobs: z.array(jobSummarySchema), next_cursor: z.string().nullable() })
  .meta({ id: 'JobList' });

/** Filter of the jobs page in the dashboard. */
export const ownJobsInput = z.object({
  /** `running` means every job that has not ended, also pending ones. */
  status: z.enum(['running', 'completed', 'failed', 'cancelled']).optional(),
  tool: z.string().min(1).max(MAX_FILTER_LENGTH).optional(),
  key_id: z.string().min(1).max(MAX_FILTER_LENGTH).optional(),
  limit: z.int().min(1).max(100).default(25),
  cursor: z.string().min(1).max(200).optional(),
});

export const ownJobListSchema = jobListSchema.extend({
  /** Number of jobs that have not ended, regardless of the filter. */
  running: z.int(),
});

export const jobLineSchema = z.object({ seq: z.int(), at: z.iso.datetime(), message: z.string() });

export const ownJobDetailSchema = jobSummarySchema.extend({
  log: z.array(jobLineSchema),
  result: callResultSchema.nullable(),
});

/** Filter values of the jobs page. */
export const jobFacetsSchema = z.object({
  tools: z.array(z.string()),
  keys: z.array(z.object({ id: z.string(), name: z.string() })),
});

/**
 * The events of `/api/live/jobs/{id}`: new lines, changed state, and the end (null: no such job).
 */
export interface JobEvents {
  lines: { lines: JobLine[] };
  state: { status: Job['status']; progress: number | null };
  end: { status: Job['status'] | null };
}

export type JobLine = z.infer<typeof jobLineSchema>;
export type OwnJobList = z.infer<typeof ownJobListSchema>;
export type OwnJobDetail = z.infer<typeof ownJobDetailSchema>;
export type OwnJobsInput = z.infer<typeof ownJobsInput>;
export type JobFacets = z.infer<typeof jobFacetsSchema>;
export type JobSummary = z.infer<typeof jobSummarySchema>;
export type JobList = z.infer<typeof jobListSchema>;
export type JobsInput = z.infer<typeof jobsInput>;
export type Job = z.infer<typeof jobSchema>;
export type Cancelled = z.infer<typeof cancelledSchema>;
