import { cancelledSchema, jobInput, jobSchema } from '../../../calls/jobs/schema';
import { strictInput } from '../../../kit/strict-input';
import { defineMcpTool } from '../define-mcp-tool';
import { invokeProcedure } from '../invoke-procedure';
import { buildResult } from '../tool-result';
import { waitSecondsInput } from './wait-seconds';

const jobIdInput = jobInput.shape.jobId.describe('The job_id that call_tool returned with status pending.');

/** Waits for a job's end, at most for `wait_seconds`, and returns it. */
export const getJob = defineMcpTool({
  name: 'get_job',
  title: 'Get a job',
  description:
    'Get a call that continues as a job. Returns as soon as the job ends, or after wait_seconds (30). While status is pending or running, poll again; once completed, it has result and output, and usage shows the charge.',
  input: strictInput({ job_id: jobIdInput, wait_seconds: waitSecondsInput }),
  output: jobSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  needsKey: true,
  async run(call, { job_id, wait_seconds }, asked) {
    const more = { waitSeconds: wait_seconds, signal: () => asked.mcpReq.signal };
    return buildResult(call, await invokeProcedure(call, 'jobs.get', { jobId: job_id }, { more }));
  },
});

/** Cancels a job. */
export const cancelJob = defineMcpTool({
  name: 'cancel_job',
  title: 'Cancel a job',
  description: 'Stop a running job. A cancelled job is not charged. A job that has ended does not change.',
  input: strictInput({ job_id: jobIdInput }),
  output: cancelledSchema,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  needsKey: true,
  async run(call, { job_id }) {
    return buildResult(call, await invokeProcedure(call, 'jobs.cancel', { jobId: job_id }));
  },
});
