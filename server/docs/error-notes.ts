import type { ErrorCode } from '../core/errors/catalogue';

interface ErrorNote {
  /** When the code occurs, beyond what the message says. */
  when: string;
  /** What a program or a person should do. */
  action: string;
  /** Additional fields of the error, with example values. */
  fields?: Record<string, unknown>;
}

/**
 * The text of each code on the errors page, in addition to the message and hint of the catalogue.
 */
export const ERROR_NOTES = {
  TOOL_NOT_FOUND: {
    when: 'The name in `tool` is not in the catalogue of this gateway. Names are lower case and exact.',
    action:
      'Search for what you want to do and use a name from the response. Do not repeat the request unchanged.',
  },
  SKILL_NOT_FOUND: {
    when: 'The tool exists, but has no skill with that name.',
    action: 'Read the tool: the response lists each skill with its schema, examples and price.',
  },
  NOT_FOUND: {
    when: 'No route has this path, or there is no key, job, asset or account with this id. Objects of other accounts return the same error.',
    action:
      'Check the path and the id, and that the key belongs to the account that created the object. Calls, jobs and files expire.',
  },
  ASSET_NOT_FOUND: {
    when: 'No asset has this id: it is mistyped, or the asset was deleted or has expired.',
    action: 'Compare the id with the response that returned it, or upload the file again.',
  },
  INVALID_INPUT: {
    when: 'A parameter, a header or a field of the body is missing, of the wrong type or out of bounds, or the tool cannot use the value: an expression that does not parse, a file it cannot read, a URL without a page. Values are not coerced: `"5"` is not a number.',
    action:
      'Each entry of `fields` names a field and says what is expected. Correct the fields and send the request again. A dry run checks an input without running it.',
    fields: {
      fields: [{ path: 'input.expression', message: '`input.expression` must be a string; got 6.' }],
    },
  },
  JOB_NOT_RUNNING: {
    when: 'You tried to cancel a job that is pending, has ended, or does not exist.',
    action: 'Read the job: its `status` says how it ended, and a completed job has its result.',
  },
  AUTH_REQUIRED: {
    when: 'The route needs a key, and the request has no `Authorization: Bearer` header.',
    action: 'Send your key. If you have none, create one: `POST /v1/auth/provision` needs no sign-up.',
  },
  AUTH_FAILED: {
    when: 'The key is incomplete, mistyped, revoked, or belongs to another gateway. Its last six characters are a checksum, so a mistyped key is never a valid one.',
    action:
      'Compare its first characters with the list of your keys. A revoked key stays revoked: create another.',
  },
  MISSING_CREDENTIALS: {
    when: 'The skill uses a provider, and neither you nor the operator has a key for it.',
    action:
      'Save a key for one of the providers in `missing`, or send it with the call. See [bring your own key](byok.md).',
    fields: {
      missing: [
        {
          name: 'openai',
          displayName: 'OpenAI',
          acquireUrl: 'https://platform.openai.com/api-keys',
          header: 'X-Provider-Key-openai',
        },
      ],
    },
  },
  INSUFFICIENT_CREDITS: {
    when: '`limit` names the cause: `account` (the balance is too low), `key` (too little is left of the credit limit of this key), or `debt` (a refund or dispute took back credit that was already spent).',
    action:
      'Depending on `limit`, buy credit for the account or team, raise the credit limit of the key, or call a free skill. `top_up.url` is the page for a person. See [money](money.md).',
    fields: { limit: 'account' },
  },
  COST_LIMIT_EXCEEDED: {
    when: 'The call, or the sum of the calls of a batch, can cost more than `max_cost_usd`. Nothing ran. `quote.max_usd` is the most it can cost. `cost_fields` names the input fields that set the price; it is absent if every input has the same price.',
    action:
      'Choose a smaller input, or raise `max_cost_usd` to `quote.max_usd` and send `quote.id` as `quote_id`: it fixes that price for ten minutes. See [a price that binds](money.md#a-price-that-binds).',
    fields: {
      quote: { id: 'quote_…', max_usd: 0.05, expires_at: '2026-11-26T09:30:00.000Z' },
      cost_fields: ['max_pages'],
    },
  },
  CLAIM_REQUIRED: {
    when: 'The key was provisioned and has not been claimed. It can use free skills, read its balance and upload 20 MiB.',
    action:
      'Give `claim_url` to a person. After they sign in and claim the key, it can call paid tools, and manage the account if they allow it.',
    fields: { claim_url: 'http://localhost:3000/claim?token=…' },
  },
  FORBIDDEN: {
    when: 'The owner of the key is not a member of the account named in `billing`, their role does not allow the action, or the operator has frozen the account of the key. A frozen account is refused every request.',
    action: 'Use an account that you are a member of. If it is frozen, ask the operator of this gateway.',
  },
  KEY_RESTRICTED: {
    when: 'The key has a credit limit or rules, was claimed without the right to manage the account, or belongs to a connected application: it cannot create, change, rotate, raise or revoke keys, buy credit, claim keys, or change preferences and provider keys.',
    action: 'Ask a person to do it in the dashboard, or use a key that manages the account.',
  },
  TOOL_NOT_ALLOWED: {
    when: 'The key has a list `allowed_tools`, and neither the tool nor `tool.skill` is in it. In a batch only that element fails.',
    action:
      'Call an allowed tool; the message lists them. The owner of the account adds tools with `PATCH /v1/keys/{id}`. See [keys](keys.md).',
  },
  IP_NOT_ALLOWED: {
    when: 'The key has a list of networks `allowed_ips`, and the request came from an address outside of them. Behind a proxy, the operator configures how many proxies are trusted.',
    action:
      'Send the request from an allowed network. The owner of the account adds networks with `PATCH /v1/keys/{id}`.',
  },
  METHOD_NOT_ALLOWED: {
    when: 'The path exists, but does not support this method.',
    action: 'The `Allow` header names the methods of this path.',
  },
  PAYLOAD_TOO_LARGE: {
    when: 'A JSON body is over 1 MiB, or an uploaded file is over the limit of the gateway (100 MiB by default).',
    action: 'Put large content into a file: [upload it](assets.md) and pass its `asset_id`.',
  },
  PRECONDITION_FAILED: {
    when: 'The request has an `If-Match` header, and none of its ETags is current. Each content coding has its own ETag.',
    action: 'Send the request without `If-Match`, and use the ETag of that response.',
  },
  RANGE_NOT_SATISFIABLE: {
    when: 'A download requested bytes beyond the end of the file.',
    action: '`Content-Range` in the response has the size of the file.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body has a content type that the route does not accept.',
    action: 'Send `Content-Type: application/json`; for an upload, `multipart/form-data`.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    when: 'An identical request with the same `Idempotency-Key` is still running after 30 seconds.',
    action: 'Send the same request again after `Retry-After`. It will not run twice.',
    fields: { retry_after: 5 },
  },
  IDEMPOTENCY_MISMATCH: {
    when: 'The `Idempotency-Key` was used within the last 24 hours with another body.',
    action: 'Use a new key for a new request. See [idempotency](idempotency.md).',
  },
  CLAIM_CONFLICT: {
    when: 'Someone else has already claimed this account.',
    action: 'Ask the person who holds the account. Repeating your own claim returns the first response.',
  },
  RATE_LIMIT_EXCEEDED: {
    when: '`limit` names the limit: a window of the key (such as `minute`), its `concurrency`, or the limit of an address for provisioning and public files.',
    action:
      'Wait for `Retry-After` seconds. The `RateLimit` header of every response shows what is left. See [limits](limits.md).',
    fields: { limit: 'minute', retry_after: 37 },
  },
  SPENDING_LIMIT_EXCEEDED: {
    when: '`limit` is `month` if the call would exceed the monthly limit of the account (`budgetLimit`), `key` if it would exceed the `spend_limit` of the key for its day, week or month, `member` if it would exceed what the owner of the key may spend from the team in a month. Periods are in UTC.',
    action:
      'Raise the limit in the billing preferences, of the [key](keys.md) or of the member (an owner or admin of the [team](teams.md) can), or wait: `Retry-After` is the time to the next period.',
    fields: { limit: 'month', retry_after: 777600 },
  },
  JOBS_DISABLED: {
    when: 'The operator has disabled jobs on this gateway, and the request needs one.',
    action: 'Keep calls under 30 seconds, or ask the operator of this gateway.',
  },
  HANDLER_ERROR: {
    when: 'The tool failed, timed out, or returned output that does not match its schema. The message has the details that are known.',
    fields: { call_id: 'call_01kp9vx3zq8h4m2n6r7s5t0w' },
    action:
      'Nothing was charged. If the message names a fault of the input, correct it; otherwise try again later, or use another tool. Errors in the input are `INVALID_INPUT` instead. What the message quotes after a colon are the words of the tool, [not of the gateway](errors.md#whose-words).',
  },
  TOOL_UNAVAILABLE: {
    when: 'The tool needs a program that this gateway lacks, such as a browser or ffmpeg, or the operator has disabled it. The catalogue lists it with `availability: unavailable` and the reason.',
    action: 'Use another tool. Repeating the call does not help until the operator changes the gateway.',
  },
  INTERNAL: {
    when: 'A fault of the gateway. Its log has the details under `request_id`.',
    action:
      'Repeat the request with its `Idempotency-Key`. If it persists, give `request_id` to the operator.',
  },
  UNAVAILABLE: {
    when: 'The gateway is starting or stopping, cannot reach its database or the payment provider, or too many reads wait.',
    action: 'Repeat the request, with its `Idempotency-Key`, after `Retry-After` seconds.',
    fields: { retry_after: 5 },
  },
} as const satisfies Record<ErrorCode, ErrorNote>;
