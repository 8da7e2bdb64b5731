import type { ErrorCode } from '../core/errors/catalogue';

interface ErrorNote {
  /** When it comes, beyond what the message says. */
  when: string;
  /** What a program or a person does about it. */
  mend: string;
  /** Fields beside the code, with an example of each. */
  beside?: Record<string, unknown>;
}

/** What the page of errors says of each code, beside the message and hint of the catalogue. */
export const ERROR_NOTES = {
  TOOL_NOT_FOUND: {
    when: 'The name in `tool` is not in the catalogue of this gateway. Names are lower case and exact.',
    mend: 'Search for what you want to do and take the name from the answer. Do not repeat the request as it is.',
  },
  SKILL_NOT_FOUND: {
    when: 'The tool is there, but has no skill of that name.',
    mend: 'Read the tool: its answer lists each skill with schema, examples and price.',
  },
  NOT_FOUND: {
    when: 'No route has this path, or there is no key, job, asset or account with this id. What belongs to someone else is answered the same way.',
    mend: 'Check the path and the id, and that you ask with a key of the account that made it. Calls, jobs and files are kept for a time only.',
  },
  ASSET_NOT_FOUND: {
    when: 'No asset has this id: it was mistyped, deleted, or its time is over.',
    mend: 'Compare the id with the answer that gave it, or upload the file again.',
  },
  INVALID_INPUT: {
    when: 'A parameter, a header or a field of the body is missing, of the wrong type or out of bounds, or the tool cannot work with what it was given: an expression that does not parse, a file it cannot read, an address that has no page. Nothing is coerced: `"5"` is no number.',
    mend: 'Each entry of `fields` names a place and says what belongs there. Correct those and send it again. A dry run checks an input without running it.',
    beside: {
      fields: [{ path: 'input.expression', message: '`input.expression` must be a string; got 6.' }],
    },
  },
  JOB_NOT_RUNNING: {
    when: 'A cancel was asked for a job that is waiting, has ended, or does not exist.',
    mend: 'Read the job: it says how it ended, and has its result where it was completed.',
  },
  AUTH_REQUIRED: {
    when: 'The route needs a key and no `Authorization: Bearer` header came.',
    mend: 'Send your key. Without one, make one: `POST /v1/auth/provision` needs no sign-up.',
  },
  AUTH_FAILED: {
    when: 'The key is incomplete, mistyped, revoked, or of another gateway. Its last six characters are a checksum, so a mistyped key is never a valid one.',
    mend: 'Compare its first characters with the list of your keys. A revoked key stays revoked: make another.',
  },
  MISSING_CREDENTIALS: {
    when: 'The skill goes through a provider, and neither you nor the operator has a key for it.',
    mend: 'Save a key of one of the providers in `missing`, or send it with the call. See [your own provider keys](byok.md).',
    beside: {
      missing: [
        { name: 'openai', displayName: 'OpenAI', acquireUrl: 'https://platform.openai.com/api-keys' },
      ],
    },
  },
  INSUFFICIENT_CREDITS: {
    when: '`limit` says what is short: `account` (the balance), `key` (the credits of this key), or `debt` (a refund or dispute took back credit that was spent).',
    mend: 'Act on what `limit` names: buy credit for the account or team, raise the allowance of the key, or call a free skill. `top_up.url` is the page where a person does it. See [money](money.md).',
    beside: { limit: 'account' },
  },
  CLAIM_REQUIRED: {
    when: 'The key was provisioned and nobody has claimed it: it may use free skills, read its balance and upload 20 MiB.',
    mend: 'Give `claim_url` to a person. Once they have signed in and claimed it, the same key calls paid tools, and manages the account if they allow it.',
    beside: { claim_url: 'http://localhost:3000/claim?token=…' },
  },
  FORBIDDEN: {
    when: 'The owner of the key is no member of the account named in `billing`, or their role does not allow it, or the operator has frozen the account of the key: then it is refused whatever it asks.',
    mend: 'Use an account of yours. For a frozen one, ask the operator.',
  },
  KEY_RESTRICTED: {
    when: 'The key has an allowance, was claimed without the right to manage the account, or belongs to a connected application: it may not create, raise or revoke keys, buy credit, claim keys, or change preferences and provider keys.',
    mend: 'Ask a person to do it in the dashboard, or use a key that manages the account.',
  },
  METHOD_NOT_ALLOWED: {
    when: 'The path is right, the method is not.',
    mend: 'The `Allow` header names the methods of this path.',
  },
  PAYLOAD_TOO_LARGE: {
    when: 'A JSON body over 1 MiB, or an uploaded file over the limit of the gateway (100 MiB unless its operator chose another).',
    mend: 'Put large content into a file: [upload it](assets.md) and pass its `asset_id`.',
  },
  PRECONDITION_FAILED: {
    when: 'The request has an `If-Match` header, and none of its ETags is the current one. Each content coding has an ETag of its own.',
    mend: 'Send the request without `If-Match`, and continue with the ETag of that answer.',
  },
  RANGE_NOT_SATISFIABLE: {
    when: 'A download asked for bytes behind the end of the file.',
    mend: '`Content-Range` in the answer says how long the file is.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body is of another type than the route takes.',
    mend: 'Send `Content-Type: application/json`; for an upload, `multipart/form-data`.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    when: 'An equal request with the same `Idempotency-Key` has been running for 30 seconds.',
    mend: 'Send the same request again after `Retry-After`. It will not run twice.',
    beside: { retry_after: 1 },
  },
  IDEMPOTENCY_MISMATCH: {
    when: 'The `Idempotency-Key` was used within the last 24 hours with another body.',
    mend: 'A new request needs a new key. See [idempotency](idempotency.md).',
  },
  CLAIM_CONFLICT: {
    when: 'Somebody else has claimed this account before.',
    mend: 'Ask whoever has it. A claim that you made yourself is answered as the first time.',
  },
  RATE_LIMIT_EXCEEDED: {
    when: '`limit` says which: `minute`, `hour` or `concurrency` of the key, or the limit of an address for provisioning and public files.',
    mend: 'Wait for `Retry-After` seconds. The `RateLimit` header of every answer says what is left before it comes to this. See [limits](limits.md).',
    beside: { limit: 'minute', retry_after: 37 },
  },
  SPENDING_LIMIT_EXCEEDED: {
    when: 'The call would bring the account over its monthly limit (`budgetLimit`). Months are counted in UTC.',
    mend: 'Raise the limit in the billing preferences, or wait: `Retry-After` is the time to the next month.',
    beside: { limit: 'month', retry_after: 777600 },
  },
  JOBS_DISABLED: {
    when: 'The operator runs this gateway without jobs, and the request is about one.',
    mend: 'Keep calls under 30 seconds, or ask the operator.',
  },
  HANDLER_ERROR: {
    when: 'The tool ran and failed, took longer than it may, or gave something that does not fit its own schema. The message says what it knows.',
    mend: 'Nothing was charged. Try again later, and then another tool. Mistakes in the input are `INVALID_INPUT` instead.',
  },
  TOOL_UNAVAILABLE: {
    when: 'The tool needs something that this gateway does not have: a program such as a browser or ffmpeg, or it was switched off. The catalogue lists it with `available: false` and says why.',
    mend: 'Use another tool. Repeating the call does not help before the operator has changed something.',
  },
  INTERNAL: {
    when: 'A fault of the gateway. It is in its log under `request_id`.',
    mend: 'Repeat the request with its `Idempotency-Key`. If it stays, give `request_id` to the operator.',
  },
  UNAVAILABLE: {
    when: 'The gateway is starting, stopping, or cannot reach its database or the payment provider.',
    mend: 'Repeat the request, with its `Idempotency-Key`, after `Retry-After` seconds.',
    beside: { retry_after: 5 },
  },
} as const satisfies Record<ErrorCode, ErrorNote>;
