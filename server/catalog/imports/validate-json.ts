import { z } from 'zod';
import { InputError } from '../../core/errors/skill-error';
import { isNumberLiteral } from '../../kit/exact-number.mjs';
import { markNumberTexts } from '../../kit/number-texts';
import { runInWorker } from '../../platform/workers/cpu-pool';
import type { JsonSchema, SchemaProblem, SlowCheck } from '../../tools/sdk/define-tool';
import {
  compileSchema,
  findNumberTexts,
  findProblems,
  isPlain,
  isQuick,
  type Validators,
} from './schema-check.mjs';
import type * as worker from './schema-worker.mjs';

const MODULE = 'server/catalog/imports/schema-worker.mjs';
const TOO_LARGE: SchemaProblem = { path: [], message: 'Is too large or too deeply nested to validate.' };

/** How the values of one untrusted JSON Schema are checked. */
export interface JsonValidation {
  /** Changes no value. Checks small values of a schema that takes linear time. */
  schema: z.ZodType<Record<string, unknown>>;
  /** Checks all other values, in a worker. */
  further: SlowCheck;
  /**
   * Finds the texts that stand for numbers in a valid value, and marks them to be sent as numbers.
   */
  markNumbers(value: Record<string, unknown>, getSignal: () => AbortSignal): Promise<Record<string, unknown>>;
}

/**
 * Compiles a schema as a call would, in a worker: it is untrusted.
 * @returns what is wrong with it; null if nothing is
 */
export async function findSchemaProblem(schema: JsonSchema): Promise<string | null> {
  try {
    const options = { signal: new AbortController().signal };
    return await runInWorker<typeof worker.inspect>(MODULE, 'inspect', { schema }, options);
  } catch (error) {
    if (error instanceof InputError) return 'It takes too long to compile.';
    throw error;
  }
}

/**
 * Compiles the schema with the first value.
 * @param ignored a field of the values that the schema does not know
 */
export function validateJson(schema: JsonSchema, ignored?: string): JsonValidation {
  const plain = isPlain(schema);
  const schemaChars = JSON.stringify(schema).length;
  const readChecked = (value: unknown): unknown => {
    if (ignored === undefined || !isObject(value) || !Object.hasOwn(value, ignored)) return value;
    const { [ignored]: _ignored, ...checked } = value;
    return checked;
  };
  const isInline = (value: unknown) => plain && isQuick(schemaChars, value);
  let validators: Validators | undefined;
  return {
    schema: z
      .custom<Record<string, unknown>>(isObject, 'Must be an object.')
      .superRefine((given, context) => {
        const value = readChecked(given);
        if (!isInline(value)) return;
        validators ??= compileSchema(schema);
        for (const { path, message } of findProblems(validators, value))
          context.addIssue({ code: 'custom', path, message });
      }),
    async further(given, getSignal) {
      const value = readChecked(given);
      if (isInline(value)) return [];
      try {
        const payload = { schema, value };
        const found = await runInWorker<typeof worker.check>(MODULE, 'check', payload, {
          signal: getSignal(),
        });
        return found ?? [TOO_LARGE];
      } catch (error) {
        // Too deep for JSON, or more memory or time than a worker has.
        if (error instanceof InputError || error instanceof RangeError) return [TOO_LARGE];
        throw error;
      }
    },
    async markNumbers(value, getSignal) {
      if (!hasNumberText(value)) return value;
      const paths =
        validators && isInline(value)
          ? findNumberTexts(validators, value)
          : await runInWorker<typeof worker.numberTexts>(
              MODULE,
              'numberTexts',
              { schema, value },
              { signal: getSignal() },
            );
      return markNumberTexts(value, paths);
    },
  };
}

/** Whether any text is a number as JSON writes it. */
function hasNumberText(root: unknown): boolean {
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && isNumberLiteral(value)) return true;
    if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) open.push(item);
  }
  return false;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
