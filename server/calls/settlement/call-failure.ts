import { fieldPath } from '../../core/errors/field-errors';
import { type ErrorDetails, GatewayError } from '../../core/errors/gateway-error';
import type { FailureCode } from '../../core/errors/skill-error';
import type { AnySkill } from '../../tools/sdk/define-tool';
import type { Attempt } from '../execution/attempt-call';

const FAILURE_CODES: ReadonlySet<string> = new Set<FailureCode>([
  'HANDLER_ERROR',
  'INVALID_INPUT',
  'ASSET_NOT_FOUND',
  'TOOL_UNAVAILABLE',
]);

/** The failure of a call that ran. A refusal before the run is a plain GatewayError. */
export class CallFailure extends GatewayError {}

/**
 * Whether the tool itself failed. Other codes mean that the input was rejected or that the tool
 * cannot work on this gateway.
 */
export function isToolFailure(code: FailureCode): boolean {
  return code === 'HANDLER_ERROR';
}

/** The outcome label in metrics: `refused` if the tool itself did not fail. */
export function getOutcome(attempt: Attempt): 'success' | 'refused' | 'error' {
  if (attempt.ok) return 'success';
  return isToolFailure(attempt.code) ? 'error' : 'refused';
}

/**
 * Builds the error response of a call that ran and failed.
 * @param callId null if it is set where the error is read
 * @param code of the attempt or of its job; codes that only jobs have (CANCELLED) become
 *   HANDLER_ERROR
 */
export function callFailure(
  callId: string | null,
  { code, message }: { code: string | null; message: string },
  skill?: AnySkill,
): CallFailure {
  const known = code !== null && FAILURE_CODES.has(code) ? (code as FailureCode) : 'HANDLER_ERROR';
  const details: ErrorDetails = { billed: false, ...(callId === null ? {} : { call_id: callId }) };
  if (known === 'INVALID_INPUT') details.fields = [readField(message, skill)];
  return new CallFailure(known, { message, details });
}

const NAMED = /^(?:input\.)?([A-Za-z_]\w*)((?:\.\w+|\[\d+\])*): (.+)$/s;

/** Messages of InputErrors start with the field: `layers.0: give either image or text.` */
function readField(message: string, skill: AnySkill | undefined): { path: string; message: string } {
  const [, name = '', rest = '', text = ''] = NAMED.exec(message) ?? [];
  if (!skill || !Object.hasOwn(getInputFields(skill), name)) return { path: 'input', message };
  const parts = rest.match(/\w+/g) ?? [];
  const path = fieldPath(['input', name, ...parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part))]);
  return { path, message: text };
}

function getInputFields(skill: AnySkill): object {
  const given = skill.givenSchemas?.input.properties;
  if (typeof given === 'object' && given !== null) return given;
  const { shape } = skill.input as { shape?: object };
  return shape ?? {};
}
