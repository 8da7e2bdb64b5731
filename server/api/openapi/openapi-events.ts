import { headerRefs } from './openapi-headers';

type Json = Record<string, unknown>;
interface Operation extends Json {
  responses: Record<string, Json>;
  parameters?: Json[];
}

const EVENTS = `id: 0
event: started
data: {"id":"call_01kp9vx3zq8h4m2n6r7s5t0w","tool":"diagnostics","skill":"sleep","job_id":"job_01kp9vx3zq8h4m2n6r7s5t0w","poll_url":"https://gateway.example.com/v1/jobs/job_01kp9vx3zq8h4m2n6r7s5t0w","events_url":"https://gateway.example.com/v1/jobs/job_01kp9vx3zq8h4m2n6r7s5t0w/events"}

id: 1.1000
event: progress
data: {"seq":1,"at":"2026-11-21T09:30:01.000Z","message":"slept 1.0 of 1 s","progress":1,"job_id":"job_01kp9vx3zq8h4m2n6r7s5t0w"}

id: limits
event: rate_limit
data: {"policy":"minute","limit":60,"remaining":59,"reset":59}

id: end
event: result
data: {"id":"call_01kp9vx3zq8h4m2n6r7s5t0w","status":"success","output":{"slept_seconds":1,"log_lines":1}}

`;
const EXAMPLES = { events: { summary: 'A call that logs once', value: EVENTS } };

/** The body of a streamed call. */
export const EVENT_STREAM: Json = {
  schema: {
    type: 'string',
    description:
      'With Accept: text/event-stream. Events in this order: `started`, any number of `progress`, one `rate_limit`, then one `result` (a ToolCallResult) or `error` (an Error). Each has an id; a comment line every 15 seconds keeps the connection open. The call is also a job from the start. If the stream breaks off, continue it at the events_url of `started` with the last id as Last-Event-ID.',
  },
  examples: EXAMPLES,
};

/** Describes a response that is always a stream of events, and the header that resumes it. */
export function describeEvents(operation: Operation): void {
  operation.responses['200'] = {
    description:
      'The events after Last-Event-ID, as of a streamed call. A stream without `result` or `error` at its end broke off: resume it.',
    headers: headerRefs('X-Request-Id'),
    content: {
      'text/event-stream': {
        schema: { type: 'string', description: 'Events, as of a streamed call.' },
        examples: EXAMPLES,
      },
    },
  };
  operation.responses['204'] = {
    description: 'You have the last event: do not reconnect.',
    headers: headerRefs('X-Request-Id'),
  };
  operation.parameters = [
    ...(operation.parameters ?? []),
    {
      in: 'header',
      name: 'Last-Event-ID',
      required: false,
      description:
        'The id of the last event that you received. Without it, the stream starts with `started`.',
      schema: { type: 'string', maxLength: 64 },
      example: '1.1000',
    },
  ];
}
