import type { z } from 'zod';
import {
  isTooDeep,
  isTooLarge,
  MAX_OUTPUT_BYTES,
  MAX_OUTPUT_DEPTH,
  OUTPUT_LIMITS,
} from '../../kit/output-size.mjs';
import type { AnySkill, SchemaProblem, SlowCheck } from '../../tools/sdk/define-tool';

/** Larger outputs are parsed and checked in separate turns of the event loop. */
const ONE_TURN_CHARS = 32 * 1024;
const MAX_LOGGED_ISSUES = 5;
const TOO_LARGE = `The tool returned more than ${OUTPUT_LIMITS}.`;

type Refusal = { ok: false; code: 'HANDLER_ERROR'; message: string; cause?: unknown };

/** The copied return value of a handler, before validation. */
export interface CopiedOutput {
  ok: true;
  copy: unknown;
  usage: unknown;
  /** Validate it in a later turn of the event loop. */
  large: boolean;
}

export type ReadResult = { ok: true; output: Record<string, unknown>; usage: unknown } | Refusal;

/**
 * Copies the return value of a handler through JSON, as the caller will see it. The copy has no
 * getters or proxies, later changes by the handler do not affect it, and NaN or a Date become what
 * JSON makes of them.
 * @throws whatever a getter of the result throws
 */
export function copyOutput(result: unknown): CopiedOutput | Refusal {
  if (typeof result !== 'object' || result === null || !('output' in result))
    return refuse('The tool returned no output.');
  const { output, usage } = result as { output: unknown; usage?: unknown };
  if (isTooLarge(output)) return refuse(TOO_LARGE);
  const json = tryStringify(output);
  if (json === undefined) return refuse('The tool returned output that is not JSON.');
  if (json.length > MAX_OUTPUT_BYTES || Buffer.byteLength(json) > MAX_OUTPUT_BYTES) return refuse(TOO_LARGE);
  // Prices are computed from usage after the attempt, where a throwing getter would break
  // settlement.
  const copiedUsage = usage === undefined ? undefined : structuredClone(usage);
  // Cannot throw: the input comes from JSON.stringify
  return { ok: true, copy: JSON.parse(json), usage: copiedUsage, large: json.length > ONE_TURN_CHARS };
}

/** Validates the copy against the output schema of the skill. */
export function checkOutput(skill: AnySkill, { copy, usage }: CopiedOutput): ReadResult {
  if (isTooDeep(copy))
    return refuse(`The tool returned output nested deeper than ${MAX_OUTPUT_DEPTH} levels.`);
  const parsed = skill.output.safeParse(copy);
  if (!parsed.success)
    return refuse(
      'The tool returned output that does not match its own schema.',
      summarizeIssues(parsed.error),
    );
  if (typeof parsed.data !== 'object' || parsed.data === null || Array.isArray(parsed.data))
    return refuse('The tool returned output that is not an object.');
  return { ok: true, output: parsed.data as Record<string, unknown>, usage };
}

/** Checks an output further, outside the event loop. */
export async function checkSlowly(
  check: SlowCheck,
  read: ReadResult & { ok: true },
  getSignal: () => AbortSignal,
): Promise<ReadResult> {
  const issues = await check(read.output, getSignal);
  return issues.length === 0
    ? read
    : refuse('The tool returned output that does not match its own schema.', summarizeIssues({ issues }));
}

function refuse(message: string, cause?: unknown): Refusal {
  return { ok: false, code: 'HANDLER_ERROR', message, cause };
}

/**
 * Returns undefined for values without JSON: a cycle, a BigInt, a function, a throwing `toJSON`.
 */
function tryStringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Lists only the first few issues: there may be very many. */
function summarizeIssues({
  issues,
}: Pick<z.ZodError, 'issues'> | { issues: readonly SchemaProblem[] }): Error {
  const shownIssues = issues
    .slice(0, MAX_LOGGED_ISSUES)
    .map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  return new Error(`${issues.length} issues: ${shownIssues.join('; ')}`);
}
