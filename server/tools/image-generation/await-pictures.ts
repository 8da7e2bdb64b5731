import { setTimeout as sleep } from 'node:timers/promises';
import { SkillError } from '../sdk/skill-error';
import { providerName } from '../sdk/provider-refusals';
import type { SkillContext } from '../sdk/skill-context';
import type { ImageHost, Standing, Wish } from './hosts';

const FIRST_LOOK_MS = 300;
const LONGEST_WAIT_MS = 5_000;
const PATIENCE_MS = 10 * 60_000;
/** What is told to an order that nobody waits for any more may take so long. */
const CANCEL_TIME_MS = 5_000;

/**
 * Orders pictures and waits until they are made. Whatever ends the wait before that (a cancel, a shutdown, the time
 * limit, a failure here) also cancels the order at the provider.
 */
export async function awaitPictures(
  context: Pick<SkillContext<unknown>, 'provider' | 'signal' | 'log' | 'progress'>,
  host: ImageHost,
  wish: Wish,
) {
  const { provider, signal, log, progress } = context;
  const name = providerName(provider);
  const id = await host.order(context, wish);
  log(`${name} has taken the order.`);
  progress(0.1);
  try {
    let told: Standing['state'] = 'waiting';
    let wait = FIRST_LOOK_MS;
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
      await sleep(wait, undefined, { signal });
      wait = Math.min(wait * 1.5, LONGEST_WAIT_MS);
      const standing = await host.look(context, id, wish);
      if (standing.state === 'done') {
        progress(0.9);
        return standing.pictures;
      }
      if (standing.state !== told) {
        told = standing.state;
        log(standing.state === 'working' ? `${name} is at work.` : `Waiting in the queue of ${name}.`);
        progress(0.5);
      }
    }
    throw new SkillError(`${name} was not done within ${PATIENCE_MS / 60_000} minutes. Try again later.`);
  } catch (error) {
    cancelOrder(context, host.cancelRequest(id, wish));
    throw signal.aborted ? signal.reason : error;
  }
}

/** Nobody waits for its answer; `keepalive` lets it outlive the attempt. */
function cancelOrder(
  { provider }: Pick<SkillContext<unknown>, 'provider'>,
  { path, method }: { path: string; method: string },
): void {
  const signal = AbortSignal.timeout(CANCEL_TIME_MS);
  provider
    .fetch(path, { method, keepalive: true, signal })
    .then((response) => response.body?.cancel())
    .catch(() => undefined);
}
