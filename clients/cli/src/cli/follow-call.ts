import type { Call, GatewayClient, Shape } from '../client.js';
import { GatewayError } from '../errors.js';
import { formatProgress } from './format-progress.js';
import type { Session } from './session.js';

export interface FollowOptions {
  idempotencyKey: string;
  providerKeys: Readonly<Record<string, string>>;
  waitSeconds: number | undefined;
  /** Stream the call and show its progress. */
  events: boolean;
  /** Get a signed receipt with the result. */
  receipt: boolean;
}

/**
 * Makes a call and waits for its result, also after a lost connection.
 * After Ctrl-C it prints how to retrieve the result later.
 * @throws GatewayError
 */
export async function followCall(
  session: Session,
  client: GatewayClient,
  call: Call,
  options: FollowOptions,
): Promise<Shape<'ToolCallResult'>> {
  const follower = new Follower(session, client);
  try {
    return options.events
      ? await follower.stream(call, options)
      : await client.callTool(call, { ...options, onJob: follower.onJob });
  } catch (error) {
    const { jobId } = follower;
    if (session.signal.aborted)
      session.output.note(formatInterruptNote(jobId, options.idempotencyKey), { job_id: jobId });
    throw error;
  }
}

class Follower {
  readonly #session: Session;
  readonly #client: GatewayClient;
  /** Set once the call has become a job. */
  jobId: string | undefined;
  #shownLines = 0;

  constructor(session: Session, client: GatewayClient) {
    this.#session = session;
    this.#client = client;
  }

  /** Shows the new log lines of a job if standard error is interactive. */
  readonly onJob = ({ job_id: jobId, logs }: Shape<'Job'>): void => {
    this.jobId = jobId;
    const { output } = this.#session;
    for (const line of logs.slice(this.#shownLines)) if (output.isInteractive) output.progress(line);
    this.#shownLines = Math.max(this.#shownLines, logs.length);
  };

  async stream(call: Call, options: FollowOptions): Promise<Shape<'ToolCallResult'>> {
    try {
      const result = await this.#events(call, options);
      // A stored response for this idempotency key may be from before the call finished.
      if (result.status !== 'pending' || result.job_id === undefined) return result;
      return await this.#client.waitForJob(result.job_id, { receipt: options.receipt, onJob: this.onJob });
    } catch (error) {
      const lost = error instanceof GatewayError && error.code === 'UNREACHABLE';
      if (!lost || this.jobId === undefined) throw error;
      this.#session.output.progress('The connection was lost; the call continues as a job.', {
        job_id: this.jobId,
      });
      return await this.#client.waitForJob(this.jobId, { receipt: options.receipt, onJob: this.onJob });
    }
  }

  async #events(call: Call, options: FollowOptions): Promise<Shape<'ToolCallResult'>> {
    for await (const { event, data } of this.#client.streamTool(call, options)) {
      if (event === 'started') this.jobId = data.job_id;
      if (event === 'progress') {
        this.#shownLines += 1;
        this.#session.output.progress(formatProgress(data), data);
      }
      if (event === 'result') return data;
    }
    throw new Error('The event stream ended without a result.');
  }
}

function formatInterruptNote(jobId: string | undefined, idempotencyKey: string): string {
  if (jobId !== undefined)
    return `The call continues as ${jobId}. To get its result: tool-gateway jobs wait ${jobId}. To cancel it free of charge: tool-gateway jobs cancel ${jobId}.`;
  return `The call may still be running. Repeat it with --idempotency-key ${idempotencyKey} to get its result; it is charged once.`;
}
