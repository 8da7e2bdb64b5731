import { KEY_VARIABLE, type SampleCall, shellQuote } from './call-samples';

/** Free, needs nothing, and its answer shows at once that it worked. */
export const FIRST_CALL: SampleCall = {
  tool: 'math',
  skill: 'evaluate',
  input: { expression: '2 * (3 + 4)' },
};

/** Costs exactly what it says. */
export const FIRST_PAID_CALL: SampleCall = {
  tool: 'diagnostics',
  skill: 'spend',
  input: { amount_usd: 0.001 },
};

/** Keeps the key where every sample of ours reads it from, and out of the code. */
export function exportKey(secret: string): string {
  return `export ${KEY_VARIABLE}=${shellQuote(secret)}`;
}

/** The same for an `.env` file, with where the key belongs. A secret has nothing in it that would need quotes. */
export function envLines(baseUrl: string, secret: string): string {
  return `TOOL_GATEWAY_URL=${baseUrl}\n${KEY_VARIABLE}=${secret}`;
}

/** The same, charged to a team. */
export function teamCall(slug: string): SampleCall {
  return { ...FIRST_PAID_CALL, billing: slug };
}
