import type { KeyContext } from '../../core/trpc/context';
import { requireJobs } from '../jobs/get-job';
import { jobNotFound } from '../jobs/job-not-found';
import { parseEventId } from './event-id';
import { followWithinLimit } from './follow-limit';
import { streamEvents } from './stream-events';

/**
 * Streams the events of a job after the last one that the client has, in whichever process the call
 * runs or ran. After the last event of the stream there are none: 204, on which an EventSource
 * stops to reconnect. The events are in `context.reply.events`.
 * @throws GatewayError NOT_FOUND, also for a job that the key may not see; INVALID_INPUT for an
 *   unknown event id; UNAVAILABLE; JOBS_DISABLED
 */
export async function resumeStream(
  context: KeyContext,
  { jobId, last_event_id }: { jobId: string; last_event_id?: string | undefined },
): Promise<void> {
  requireJobs(context);
  const { runtime, actor, reply } = context;
  // The header is newer: an EventSource reconnects to the URL that it was created with.
  const after = parseEventId(context.lastEventId ?? last_event_id);
  const job = await runtime.readJob({ jobId, keyId: actor.keyId, omitRunningLog: true });
  if (!job) throw jobNotFound();
  reply.callId = job.callId;
  if (after.stage === 'end') {
    reply.status = 204;
    return;
  }
  if (!context.wantsEvents) return;
  const { callId: id, tool, skill } = job;
  reply.events = streamEvents(context, followWithinLimit(context, { id, tool, skill }), after);
}
