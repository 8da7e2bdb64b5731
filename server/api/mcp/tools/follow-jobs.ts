import { jobInput, jobsInput } from '../../../calls/jobs/schema';
import { strictInput } from '../../../kit/strict-input';
import { defineMcpTool } from '../define-mcp-tool';
import { invokeProcedure } from '../invoke-procedure';
import { buildResult } from '../tool-result';
import { pageInput, readPage } from './page-input';
import { receiptWanted } from './receipt-input';
import { waitSecondsInput } from './wait-seconds';

const jobIdInput = jobInput.shape.jobId.describe('From a pending call_tool.');

/** Waits for a job's end, at most for `wait_seconds`, and returns it. */
export const getJob = defineMcpTool({
  name: 'get_job',
  title: 'Get a job',
  description:
    'Get a call that continues as a job. Returns as soon as the job ends, or after wait_seconds. While status is pending or running, poll again; usage of a completed job shows the charge.',
  input: strictInput({ job_id: jobIdInput, wait_seconds: waitSecondsInput, receipt: receiptWanted }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  needsKey: true,
  async run(call, { job_id, wait_seconds, receipt }, asked) {
    const more = { waitSeconds: wait_seconds, wantsReceipt: receipt, signal: () => asked.mcpReq.signal };
    return buildResult(call, await invokeProcedure(call, 'jobs.get', { jobId: job_id }, { more }));
  },
});

/** The jobs of the key's account, by page. */
export const listJobs = defineMcpTool({
  name: 'list_jobs',
  title: 'List jobs',
  description: 'Calls that became jobs, newest first, in pages, without results: get_job has them.',
  input: strictInput({
    status: jobsInput.shape.status,
    tool: jobsInput.shape.tool,
    key_id: jobsInput.shape.key_id,
    ...pageInput,
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  needsKey: true,
  async run(call, args) {
    return buildResult(call, await invokeProcedure(call, 'jobs.list', readPage(args)));
  },
});

/** Cancels a job. */
export const cancelJob = defineMcpTool({
  name: 'cancel_job',
  title: 'Cancel a job',
  description: 'Stop a running job. A cancelled job is not charged. A job that has ended does not change.',
  input: strictInput({ job_id: jobIdInput }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  needsKey: true,
  async run(call, { job_id }) {
    return buildResult(call, await invokeProcedure(call, 'jobs.cancel', { jobId: job_id }));
  },
});
