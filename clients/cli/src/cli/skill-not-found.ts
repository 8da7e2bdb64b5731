import { createError, type GatewayError } from '../errors.js';
import { findClosest } from './closest.js';

/** The error for a skill that a tool does not have, with the closest one and all. */
export function skillNotFound(
  tool: string,
  skill: string,
  skills: readonly { readonly name: string }[],
): GatewayError {
  const names = skills.map(({ name }) => name);
  const near = findClosest(skill, names);
  return createError({
    code: 'SKILL_NOT_FOUND',
    message: `The tool ${tool} has no skill ${skill}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
    type: 'not_found',
    hint: `Its skills: ${names.join(', ')}.`,
  });
}
