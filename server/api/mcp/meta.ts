/** The keys of `_meta` that are ours, in requests and in results. */
export const META = {
  /** In tools/call of call_tool and upload_asset: what `Idempotency-Key` is on REST; one store for both. */
  idempotencyKey: 'tool-gateway/idempotencyKey',
  /** In tools/call of call_tool: `{openai: "sk-…"}`, what `X-Provider-Key-<provider>` is on REST. */
  providerKeys: 'tool-gateway/providerKeys',
  /** In results: names the request in the log of the gateway. */
  requestId: 'tool-gateway/requestId',
  /** In results of call_tool: how the tightest window of the key stands. */
  rateLimit: 'tool-gateway/rateLimit',
  /** In results: true where the answer was kept from an earlier request of the same Idempotency-Key. */
  replayed: 'tool-gateway/idempotentReplayed',
  /** In results of call_tool: since when the tool is deprecated, until when it works, and what to use instead. */
  deprecated: 'tool-gateway/deprecated',
} as const;
