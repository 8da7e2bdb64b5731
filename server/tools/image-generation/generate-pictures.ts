import { setTimeout as sleep } from 'node:timers/promises';
import { providerName } from '../sdk/provider-refusals';
import type { SkillContext } from '../sdk/skill-context';
import { SkillError } from '../sdk/skill-error';
import type { ImageHost, ImageRequest, OrderStatus } from './hosts';

const FIRST_POLL_MS = 300;
const LONGEST_WAIT_MS = 5_000;
const TIME_LIMIT_MS = 10 * 60_000;
/** Time limit for the request that cancels an abandoned order. */
const CANCEL_TIME_MS = 5_000;

/**
 * Orders pictures and polls until they are ready. If the wait ends early (cancel, shutdown, time
 * limit, failure), the order is also cancelled at the provider.
 */
export async function generatePictures(
  context: Pick<SkillContext<unknown>, 'provider' | 'signal' | 'log' | 'progress'>,
  host: ImageHost,
  wish: ImageRequest,
) {
  const { provider, signal, log, progress } = context;
  const name = providerName(provider);
  const id = await host.order(context, wish);
  log(`${name} accepted the request.`);
  progress(0.1);
  try {
    let reported: OrderStatus['state'] = 'waiting';
    let wait = FIRST_POLL_MS;
    for (const until = Date.now() + TIME_LIMIT_MS; Date.now() < until; ) {
      await sleep(wait, undefined, { signal });
      wait = Math.min(wait * 1.5, LONGEST_WAIT_MS);
      const status = await host.poll(context, id, wish);
      if (status.state === 'done') {
        progress(0.9);
        return status.pictures;
      }
      if (status.state !== reported) {
        reported = status.state;
        log(status.state === 'working' ? `${name} is generating the picture.` : `Queued at ${name}.`);
        progress(0.5);
      }
    }
    throw new SkillError(`${name} did not finish within ${TIME_LIMIT_MS / 60_000} minutes. Try again later.`);
  } catch (error) {
    cancelOrder(context, host.cancelRequest(id, wish));
    throw signal.aborted ? signal.reason : error;
  }
}

/** Sends the cancellation without awaiting it; `keepalive` lets it outlive the attempt. */
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
