import type { ZodError } from 'zod';
import { NEEDS_UPLOAD } from '../../kit/needs-upload';
import { UNKNOWN_FIELD } from '../../kit/strict-input';
import { type ErrorDetails, type FieldError, GatewayError } from './gateway-error';
import { isPredicate } from './plain-issues';

/** Limits of what is repeated to the client: invalid fields, and characters of an unknown name. */
const MAX_FIELDS = 50;
const MAX_NAME = 64;

const UPLOAD_HINT = {
  rest: 'Upload the file with POST /v1/assets/upload (multipart, field `file`) and give the asset_id that it returns. The CLI uploads a path that is given as a flag.',
  mcp: 'Upload the file with upload_asset and give the asset_id that it returns.',
} as const;

/** Formats zod's path as `input.items[2].name`; `body` for an empty path. */
export function fieldPath(path: readonly PropertyKey[]): string {
  let out = '';
  for (const part of path) {
    if (typeof part === 'number') out += `[${part}]`;
    else out += out === '' ? String(part) : `.${String(part)}`;
  }
  return out === '' ? 'body' : out;
}

/** Converts zod issues to field errors: which field, what is wrong, and what is expected. */
export function fieldErrors(error: ZodError, prefix = ''): FieldError[] {
  return error.issues.slice(0, MAX_FIELDS).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys' || !issue.message.startsWith(UNKNOWN_FIELD))
      return [fieldError(issue, prefix)];
    // `strictInput` writes one line per unknown field.
    return issue.message.split('\n').map((message, index) => {
      const path = [...issue.path, issue.keys[index]?.slice(0, MAX_NAME) ?? ''];
      return { path: fieldPath(prefix === '' ? path : [prefix, ...path]), message };
    });
  });
}

/** Repeats only numbers from the input: other values may be a secret in the wrong field. */
export function fieldError({ path: at, message }: ZodError['issues'][number], prefix = ''): FieldError {
  const path = fieldPath(prefix === '' ? at : [prefix, ...at]);
  return { path, message: isPredicate(message) ? `\`${path}\` ${message}` : message };
}

/**
 * Creates an INVALID_INPUT error for these fields, with the message of the first, or of one that
 * is misspelt: then the missing field is not missing.
 */
export function invalidFields(fields: FieldError[], details?: ErrorDetails): GatewayError {
  const first = fields.find(isMisspelt) ?? fields[0];
  const names = [`\`${first?.path}\``, UNKNOWN_FIELD].some((start) => first?.message.startsWith(start));
  return new GatewayError('INVALID_INPUT', {
    message: first && (names ? first.message : `${first.path}: ${first.message}`),
    hint: fields.some(({ message }) => message.includes(NEEDS_UPLOAD)) ? UPLOAD_HINT : undefined,
    details: { fields, ...details },
  });
}

function isMisspelt({ message }: FieldError): boolean {
  return message.startsWith(UNKNOWN_FIELD) && message.includes('Did you mean');
}
