/** The `_meta` keys in requests and results: ours, and those of the "Payment" scheme. */
export const META = {
  /**
   * In tools/call of call_tool and upload_asset: as `Idempotency-Key` on REST, with the same store.
   */
  idempotencyKey: 'tool-gateway/idempotencyKey',
  /** In tools/call of call_tool: `{openai: "sk-…"}`, as `X-Provider-Key-<provider>` on REST. */
  providerKeys: 'tool-gateway/providerKeys',
  /** In results: identifies the request in the gateway's log. */
  requestId: 'tool-gateway/requestId',
  /** In results of call_tool: the state of the key's tightest rate limit window. */
  rateLimit: 'tool-gateway/rateLimit',
  /**
   * In results: true if this is the stored response to an earlier request with the Idempotency-Key.
   */
  replayed: 'tool-gateway/idempotentReplayed',
  /**
   * In results of call_tool: since when the tool is deprecated, when it stops and what replaces it.
   */
  deprecated: 'tool-gateway/deprecated',
  /** In tools/call of call_tool: a payment instead of a key, as Authorization on REST. */
  credential: 'org.paymentauth/credential',
  /** In results of call_tool, from 2026-07-28 on: how to pay, instead of a result. */
  paymentRequired: 'org.paymentauth/payment-required',
  /** In results of call_tool: the receipt of that payment. */
  receipt: 'org.paymentauth/receipt',
  /** In results of tools that need a key: a challenge from which ChatGPT starts OAuth. */
  challenge: 'mcp/www_authenticate',
} as const;
