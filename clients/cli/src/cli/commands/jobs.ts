import type { Shape } from '../../client.js';
import { unwrapData } from '../../responses.js';
import type { Command } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { formatProgress } from '../format-progress.js';
import { formatColumns, formatDollars } from '../output.js';
import { omitUndefined, readPageFlags } from '../page-flags.js';
import { readIntegerFlag } from '../parse-numbers.js';
import type { Session } from '../session.js';
import { usageError } from '../usage-error.js';

const MAX_WAIT_SECONDS = 86_400;
const STATES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;

export const jobsList: Command = {
  name: 'jobs list',
  usage: '',
  about: 'List jobs, newest first',
  words: [0, 0],
  flags: {
    status: { value: STATES.join('|'), about: 'only jobs in this state' },
    tool: { value: 'NAME', about: 'only jobs of this tool' },
    'key-id': { value: 'ID', about: 'only jobs of this key' },
    limit: { value: 'N', about: 'at most N jobs' },
    cursor: { value: 'TEXT', about: 'continue from next_cursor' },
  },
  async run(session, args) {
    const { api } = await session.keyedClient();
    const status = parseStatus(args.text('status'));
    const query = {
      ...readPageFlags(args),
      ...omitUndefined({ status, tool: args.text('tool'), key_id: args.text('key-id') }),
    };
    const found = unwrapData(await api.GET('/v1/jobs', { params: { query } }));
    const rows = found.jobs.map((job) => [
      job.job_id,
      job.created_at,
      `${job.tool}.${job.skill}`,
      job.status,
      job.cost_usd === null ? '' : formatDollars(job.cost_usd),
    ]);
    await session.output.data(found, () => formatColumns(rows));
    return undefined;
  },
};

function parseStatus(text: string | undefined): (typeof STATES)[number] | undefined {
  if (text === undefined) return undefined;
  const status = STATES.find((state) => state === text);
  if (status) return status;
  throw usageError(`--status ${text} is unknown.`, `Use one of ${STATES.join(', ')}.`);
}

export const jobsGet: Command = {
  name: 'jobs get',
  usage: '<job>',
  about: 'Show the status of a job; waits up to 30 s for it to finish',
  words: [1, 1],
  async run(session, { words: [jobId = ''] }) {
    const job = await read(session, jobId);
    await session.output.data(job, () => describe(job));
    return undefined;
  },
};

export const jobsWait: Command = {
  name: 'jobs wait',
  usage: '<job>',
  about: 'Wait for a job to finish and print its result',
  words: [1, 1],
  flags: { timeout: { value: 'N', about: 'exit with 8 after N seconds; the job keeps running' } },
  async run(session, args) {
    const [jobId = ''] = args.words;
    const waitSeconds = readIntegerFlag(args, 'timeout', 0, MAX_WAIT_SECONDS);
    const client = await session.keyedClient();
    let printed = 0;
    const onJob = ({ logs }: Shape<'Job'>) => {
      for (const line of logs.slice(printed)) if (session.output.isInteractive) session.output.progress(line);
      printed = Math.max(printed, logs.length);
    };
    const result = await client.waitForJob(jobId, { waitSeconds, onJob });
    await session.output.data(result, () =>
      result.status === 'pending' ? `Still running: ${jobId}` : JSON.stringify(result.output ?? {}, null, 2),
    );
    return result.status === 'pending' ? EXIT.pending : EXIT.ok;
  },
};

export const jobsFollow: Command = {
  name: 'jobs follow',
  usage: '<job>',
  about: 'Show the log and progress of a job as they happen, then print its result',
  details: `Reconnects by itself if the connection breaks. --after continues after an event that you have: its id is
in the event stream (docs/streams).`,
  words: [1, 1],
  flags: { after: { value: 'ID', about: 'show only what follows this event' } },
  async run(session, args) {
    const [jobId = ''] = args.words;
    const client = await session.keyedClient();
    for await (const { event, data } of client.followJob(jobId, { lastEventId: args.text('after') })) {
      if (event === 'progress') session.output.progress(formatProgress(data), data);
      if (event === 'result')
        await session.output.data(data, () => JSON.stringify(data.output ?? {}, null, 2));
    }
    return undefined;
  },
};

export const jobsCancel: Command = {
  name: 'jobs cancel',
  usage: '<job>',
  about: 'Cancel a running job; you are not charged',
  words: [1, 1],
  async run(session, { words: [jobId = ''] }) {
    const cancelled = await (await session.keyedClient()).cancelJob(jobId);
    await session.output.data(cancelled, () => `Cancelled ${jobId}. Nothing was charged.`);
    return undefined;
  },
};

export const jobsLog: Command = {
  name: 'jobs log',
  usage: '<job>',
  about: 'Print the log of a job so far',
  words: [1, 1],
  async run(session, { words: [jobId = ''] }) {
    const { logs } = await read(session, jobId);
    await session.output.data({ job_id: jobId, logs }, () => logs.join('\n'));
    return undefined;
  },
};

async function read(session: Session, jobId: string): Promise<Shape<'Job'>> {
  const { api } = await session.keyedClient();
  return unwrapData(await api.GET('/v1/jobs/{jobId}', { params: { path: { jobId } } }));
}

function describe({
  job_id: id,
  status,
  tool,
  skill,
  elapsed_seconds: seconds,
  progress,
  error,
}: Shape<'Job'>) {
  const far = progress === undefined ? '' : `, ${Math.round(progress * 100)}%`;
  const head = `${id}  ${tool}.${skill}  ${status}${far} after ${seconds.toFixed(1)} s`;
  return error === undefined ? head : `${head}\n${error}`;
}
