import type { Runtime } from '../runtime';
import type { SessionActor } from '../trpc/actor';
import { readVersions } from './store';
import { writeToken } from './versions';

/** Returns the current versions of the session's accounts; empty if the session has just ended. */
export async function getToken(
  runtime: Pick<Runtime, 'sql'>,
  actor: SessionActor,
): Promise<{ token: string }> {
  const versions = (await readVersions(runtime.sql, [actor.sessionId])).get(actor.sessionId);
  return { token: versions ? writeToken(versions) : '' };
}
