import { invalidFields } from '../../core/errors/field-errors';
import type { FieldError, GatewayError } from '../../core/errors/gateway-error';
import type { ToolLookup } from '../../tools/tool-lookup';

/** `skill` of a call, or of a call in a batch. */
const SKILL_PATH = /^(?:calls\[(\d+)\]\.)?skill$/;
const MAX_NAMED = 30;

/**
 * Adds the skills of the tool that a call names to an error about its `skill`.
 * @param body the call or batch as sent
 */
export function nameSkills(tools: ToolLookup, body: unknown, error: GatewayError): GatewayError {
  const { fields, ...details } = error.details;
  if (error.code !== 'INVALID_INPUT' || !fields?.some(({ path }) => SKILL_PATH.test(path))) return error;
  return invalidFields(
    fields.map((field) => nameSkillsIn(tools, body, field)),
    details,
  );
}

function nameSkillsIn(tools: ToolLookup, body: unknown, field: FieldError): FieldError {
  const [, index] = SKILL_PATH.exec(field.path) ?? [];
  const call = index === undefined ? body : (body as { calls?: unknown[] } | null)?.calls?.[Number(index)];
  const name = SKILL_PATH.test(field.path) ? (call as { tool?: unknown } | null)?.tool : undefined;
  const tool = typeof name === 'string' ? tools.findTool(name) : undefined;
  if (!tool) return field;
  const names = tool.skills.slice(0, MAX_NAMED).map((skill) => `\`${skill.name}\``);
  const more = tool.skills.length > MAX_NAMED ? ', …' : '';
  return { ...field, message: `${field.message} Skills of \`${tool.name}\`: ${names.join(', ')}${more}.` };
}
