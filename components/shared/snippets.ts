import { KEY_VARIABLE, type SampleCall, shellQuote } from './call-samples';

/** Free, needs no setup, and its output shows at once that it worked. */
export const FIRST_CALL: SampleCall = {
  tool: 'math',
  skill: 'evaluate',
  input: { expression: '2 * (3 + 4)' },
};

/** Costs exactly the amount in its input. */
export const FIRST_PAID_CALL: SampleCall = {
  tool: 'diagnostics',
  skill: 'spend',
  input: { amount_usd: 0.001 },
};

/** Sets the environment variable that all samples read, so that the key stays out of the code. */
export function exportKey(secret: string): string {
  return `export ${KEY_VARIABLE}=${shellQuote(secret)}`;
}

/**
 * The same for an `.env` file, with the gateway's URL. A secret contains nothing that needs
 * quoting.
 */
export function envLines(baseUrl: string, secret: string): string {
  return `TOOL_GATEWAY_URL=${baseUrl}\n${KEY_VARIABLE}=${secret}`;
}

/** A sample call charged to a team. */
export function teamCall(slug: string): SampleCall {
  return { ...FIRST_PAID_CALL, billing: slug };
}

/** The entry of an MCP client's configuration. */
export function mcpConfig(baseUrl: string, secret: string): string {
  const server = { type: 'http', url: `${baseUrl}/mcp`, headers: { Authorization: `Bearer ${secret}` } };
  return JSON.stringify({ mcpServers: { 'tool-gateway': server } }, null, 2);
}
