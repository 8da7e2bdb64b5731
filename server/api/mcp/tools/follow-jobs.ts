import { cancelledSchema, jobInput, jobSchema } from '../../../calls/jobs/schema';
import { strictInput } from '../../../kit/strict-input';
import { askProcedure } from '../ask-procedure';
import { defineMcpTool } from '../define-mcp-tool';
import { resultOf } from '../tool-result';
import { waitSecondsInput } from './wait-seconds';

const jobIdInput = jobInput.shape.jobId.describe('The job_id that call_tool gave with status pending.');

/** A job, as soon as it has ended or the wait is over. */
export const getJob = defineMcpTool({
  name: 'get_job',
  title: 'Get a job',
  description:
    'Ask for a call that goes on as a job. It answers as soon as the job ends, at the latest after wait_seconds (30). While status is pending or running, ask again; on completed, result and output are there and usage says what was charged.',
  input: strictInput({ job_id: jobIdInput, wait_seconds: waitSecondsInput }),
  output: jobSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  needsKey: true,
  async run(call, { job_id, wait_seconds }, asked) {
    const more = { waitSeconds: wait_seconds, signal: () => asked.mcpReq.signal };
    return resultOf(call, await askProcedure(call, 'jobs.get', { jobId: job_id }, { more }));
  },
});

/** Stops a job. */
export const cancelJob = defineMcpTool({
  name: 'cancel_job',
  title: 'Cancel a job',
  description: 'Stop a running job. A cancelled job is charged nothing. What has ended stays as it is.',
  input: strictInput({ job_id: jobIdInput }),
  output: cancelledSchema,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  needsKey: true,
  async run(call, { job_id }) {
    return resultOf(call, await askProcedure(call, 'jobs.cancel', { jobId: job_id }));
  },
});
