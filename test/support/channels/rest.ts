import type { Answer } from '../harness';
import { readEvents } from '../read-events';
import { type OpenChannel, toOutcome } from './channel';

/** POST /v1/tools/call. */
export const rest: OpenChannel = async (harness, { key }) => ({
  async call(call) {
    return toOutcome((await harness.request('POST', '/v1/tools/call', { key, json: call })).body);
  },
});

/** The same route with an event stream; a call rejected before it starts gets a plain response. */
export const stream: OpenChannel = async (harness, { key }) => ({
  async call(call) {
    const headers = { accept: 'text/event-stream' };
    const answer = await harness.request('POST', '/v1/tools/call', { key, json: call, headers });
    return toOutcome(isStream(answer) ? readEvents(answer.text).at(-1)?.data : answer.body);
  },
});

function isStream({ headers }: Answer): boolean {
  return headers['content-type']?.startsWith('text/event-stream') ?? false;
}

/** POST /v1/tools/batch with one call; its element is the outcome unless the batch was rejected. */
export const batch: OpenChannel = async (harness, { key }) => ({
  async call(call) {
    const { body } = await harness.request('POST', '/v1/tools/batch', { key, json: { calls: [call] } });
    return toOutcome(body.results?.[0] ?? body);
  },
});
