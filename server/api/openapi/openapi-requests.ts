import { PROVIDERS, type Provider } from '../../platform/settings/providers';
import type { Route } from '../http/routes';

type Json = Record<string, unknown>;

/** Request headers besides Authorization, for routes that honour them. */
const PARAMETERS: Record<
  'prefer' | 'idempotent',
  { name: string; description: string; schema: Json; example: string }
> = {
  idempotent: {
    name: 'Idempotency-Key',
    description:
      'Any string that identifies this request. For 24 hours, a request with the same key and body returns the first response instead of running again: use it to retry after a lost connection.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  },
  prefer: {
    name: 'Prefer',
    description:
      '`wait=N`: wait at most N seconds, 0 to 30, for the result; `respond-async`: do not wait (RFC 7240).',
    schema: { type: 'string' },
    example: 'wait=10',
  },
};

/** Headers that carry a client's own provider keys, for the document's components. */
export const PROVIDER_KEY_PARAMETERS: Record<string, Json> = Object.fromEntries(
  Object.entries<Provider>(PROVIDERS).map(([slot, { displayName, acquireUrl }]) => [
    `ProviderKey_${slot}`,
    {
      in: 'header',
      required: false,
      name: `X-Provider-Key-${slot}`,
      description: `Your own key for ${displayName} (${acquireUrl}), for this request only: takes precedence over a saved key, is sent only to ${displayName}, and is never stored or logged. A call that uses it costs 5 % of its price. Ignored by skills without ${slot} in their requirements.`,
      schema: { type: 'string', minLength: 8, maxLength: 512 },
    },
  ]),
);

/** The header parameters of a route. */
export function headerParameters({ rest }: Route): Json[] {
  const wanted = (['idempotent', 'prefer'] as const).filter((name) => rest[name]);
  const named = wanted.map((name) => ({ in: 'header', required: false, ...PARAMETERS[name] }));
  const keys = rest.providerKeys ? Object.keys(PROVIDER_KEY_PARAMETERS) : [];
  return [...named, ...keys.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}

const EVENTS = `id: 1
event: started
data: {"id":"call_01kp9vx3zq8h4m2n6r7s5t0w","tool":"diagnostics","skill":"sleep","job_id":"job_01kp9vx3zq8h4m2n6r7s5t0w"}

id: 2
event: progress
data: {"seq":1,"at":"2026-11-21T09:30:01.000Z","message":"slept 1.0 of 1 s","progress":1}

id: 3
event: rate_limit
data: {"policy":"minute","limit":60,"remaining":59,"reset":59}

id: 4
event: result
data: {"id":"call_01kp9vx3zq8h4m2n6r7s5t0w","status":"success","output":{"slept_seconds":1,"log_lines":1}}

`;

/** The body of a streamed call. */
export const EVENT_STREAM: Json = {
  schema: {
    type: 'string',
    description:
      'With Accept: text/event-stream. Events in this order: `started`, any number of `progress`, one `rate_limit`, then one `result` (a ToolCallResult) or `error` (an Error). Each has an id; a comment line every 15 seconds keeps the connection open. After 30 seconds, or when you disconnect, the call is also a job under the job_id of `started`.',
  },
  examples: { events: { summary: 'A call that logs once', value: EVENTS } },
};
