import type { GatewayError } from '../errors.js';

/** What the command ends with; documented in its README and in `tool-gateway help exit-codes`. */
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

/** Each code with its meaning, for people. */
export const EXIT_MEANINGS: readonly [number, string][] = [
  [EXIT.ok, 'done'],
  [EXIT.unexpected, 'the gateway could not be reached, or failed'],
  [EXIT.usage, 'the command line or the input is not valid'],
  [EXIT.auth, 'no key, a wrong key, a missing provider key, or not allowed'],
  [EXIT.billing, 'not enough credit, or the key must be claimed first'],
  [EXIT.notFound, 'no such tool, skill, job, asset or key'],
  [EXIT.rateLimited, 'a rate or spending limit is reached'],
  [EXIT.toolFailed, 'the tool failed, or its job was cancelled; nothing was charged'],
  [EXIT.pending, 'the call still runs as a job (--no-wait, --wait)'],
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

/** The exit code of an error: by its type, but a key that must be claimed is a matter of billing. */
export function exitCodeOf({ code, type }: Pick<GatewayError, 'code' | 'type'>): number {
  return code === 'CLAIM_REQUIRED' ? EXIT.billing : (BY_TYPE[type] ?? EXIT.unexpected);
}
