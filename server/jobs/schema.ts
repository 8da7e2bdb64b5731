import { z } from 'zod';
import { callResultSchema, callUsageSchema } from '../calls/schema';

export const jobInput = z.object({
  jobId: z.string().min(1).max(64).describe('The job_id of a 202 answer.'),
});

export const jobSchema = z
  .looseObject({
    jobId: z.string(),
    job_id: z.string().describe('The same as jobId.'),
    status: z
      .enum(['pending', 'running', 'completed', 'failed', 'cancelled'])
      .describe('pending → running → completed, failed or cancelled.'),
    tool: z.string(),
    skill: z.string(),
    logs: z.array(z.string()).describe('What the tool said so far, in order.'),
    elapsed_seconds: z.number().describe('Since the call was made, to its end.'),
    progress: z.number().min(0).max(1).optional().describe('How far it is, where the tool says so.'),
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

export type Job = z.infer<typeof jobSchema>;
export type Cancelled = z.infer<typeof cancelledSchema>;
