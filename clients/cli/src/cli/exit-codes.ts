import type { GatewayError } from '../errors.js';

/** Exit codes of the CLI, documented in its README and in `tool-gateway help`. */
export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  auth: 3,
  billing: 4,
  notFound: 5,
  rateLimited: 6,
  toolFailed: 7,
  pending: 8,
  interrupted: 130,
} as const;

/** The meaning of each code, as the help and the README show it. */
export const EXIT_MEANINGS: readonly [number, string][] = [
  [EXIT.ok, 'done'],
  [EXIT.unexpected, 'the gateway could not be reached, or failed'],
  [EXIT.usage, 'the command line or the input is invalid'],
  [EXIT.auth, 'missing or invalid API key, missing provider key, or not allowed'],
  [EXIT.billing, 'not enough credit, the cost limit (--max-cost), or the key must be claimed first'],
  [EXIT.notFound, 'no such tool, skill, job, asset or key'],
  [EXIT.rateLimited, 'a rate or spending limit was reached'],
  [EXIT.toolFailed, 'the tool failed, or its job was cancelled; nothing was charged'],
  [EXIT.pending, 'the call is still running as a job (--no-wait, --wait)'],
  [EXIT.interrupted, 'interrupted by Ctrl-C'],
];

const BY_TYPE = {
  auth: EXIT.auth,
  billing: EXIT.billing,
  rate_limit: EXIT.rateLimited,
  validation: EXIT.usage,
  provider: EXIT.toolFailed,
  not_found: EXIT.notFound,
  server: EXIT.unexpected,
} as const satisfies Record<GatewayError['type'], number>;

/** Maps an error to an exit code by its type; CLAIM_REQUIRED counts as billing. */
export function getExitCode({ code, type }: Pick<GatewayError, 'code' | 'type'>): number {
  return code === 'CLAIM_REQUIRED' ? EXIT.billing : (BY_TYPE[type] ?? EXIT.unexpected);
}
