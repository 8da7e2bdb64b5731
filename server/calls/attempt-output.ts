import type { z } from 'zod';
import {
  isTooDeep,
  isTooLarge,
  MAX_OUTPUT_BYTES,
  MAX_OUTPUT_DEPTH,
  MAX_OUTPUT_VALUES,
} from '../kit/output-size.mjs';
import type { AnySkill } from '../tools/sdk/define-tool';

/**
 * Outputs of more JSON are read and checked in two turns of the event loop, so that others come in
 * between.
 */
const ONE_TURN_CHARS = 128 * 1024;
const MAX_LOGGED_ISSUES = 5;
const TOO_LARGE = `The tool returned more than ${MAX_OUTPUT_BYTES / 1024 / 1024} MiB or ${MAX_OUTPUT_VALUES} values.`;

type Refusal = { ok: false; code: 'HANDLER_ERROR'; message: string; cause?: unknown };

/** What a handler returned, copied, not yet checked. */
export interface CopiedOutput {
  ok: true;
  copy: unknown;
  usage: unknown;
  /** Its check comes in another turn of the event loop. */
  large: boolean;
}

export type ReadResult = { ok: true; output: Record<string, unknown>; usage: unknown } | Refusal;

/**
 * What a handler returned, as its caller will see it: a copy that went through JSON. Getters,
 * proxies and later changes by the handler are gone, and NaN or a Date have become what JSON makes
 * of them.
 * @throws whatever a getter of the result throws
 */
export function copyOutput(result: unknown): CopiedOutput | Refusal {
  if (typeof result !== 'object' || result === null || !('output' in result))
    return refuse('The tool returned no output.');
  const { output, usage } = result as { output: unknown; usage?: unknown };
  if (isTooLarge(output)) return refuse(TOO_LARGE);
  const json = jsonOf(output);
  if (json === undefined) return refuse('The tool returned something that is not JSON.');
  if (json.length > MAX_OUTPUT_BYTES || Buffer.byteLength(json) > MAX_OUTPUT_BYTES) return refuse(TOO_LARGE);
  // A price reads usage after the attempt, where a throwing getter would do harm.
  const copiedUsage = usage === undefined ? undefined : structuredClone(usage);
  // raises nothing: what JSON.stringify has just made
  return { ok: true, copy: JSON.parse(json), usage: copiedUsage, large: json.length > ONE_TURN_CHARS };
}

/** The copy, checked against the schema. */
export function checkOutput(skill: AnySkill, { copy, usage }: CopiedOutput): ReadResult {
  if (isTooDeep(copy))
    return refuse(`The tool returned something nested deeper than ${MAX_OUTPUT_DEPTH} levels.`);
  const parsed = skill.output.safeParse(copy);
  if (!parsed.success)
    return refuse('The tool returned something against its own schema.', issuesOf(parsed.error));
  if (typeof parsed.data !== 'object' || parsed.data === null || Array.isArray(parsed.data))
    return refuse('The tool returned something that is not an object.');
  return { ok: true, output: parsed.data as Record<string, unknown>, usage };
}

function refuse(message: string, cause?: unknown): Refusal {
  return { ok: false, code: 'HANDLER_ERROR', message, cause };
}

/** Undefined where it has no JSON: a cycle, a BigInt, a function, a `toJSON` that throws. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The first few of what may be very many. */
function issuesOf({ issues }: z.ZodError): Error {
  const told = issues
    .slice(0, MAX_LOGGED_ISSUES)
    .map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  return new Error(`${issues.length} issues: ${told.join('; ')}`);
}
