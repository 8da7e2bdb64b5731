import { invalidFields } from '../../core/errors/field-errors';
import type { Runtime } from '../../core/runtime';
import type { AnySkill } from '../../tools/sdk/define-tool';
import { toDefinitionName } from '../definitions/definition-name';
import { type Described, DIALECTS, MAX_DESCRIPTION } from '../definitions/dialects';
import type { Definitions, Format } from '../definitions/formats';
import { getSchemas } from './describe-tool';
import type { Skill, Tool } from './schema';
import type { Selection } from './selection';

/** Replaces the tools of a list by definitions. */
export function replaceTools<List extends { tools: Tool[] }>(
  runtime: Pick<Runtime, 'tools'>,
  list: List,
  format: Format,
): List & Definitions {
  return { ...list, tools: [], ...buildDefinitions(runtime, format, list.tools, false) };
}

/** Replaces the skills of a tool that the client named by definitions. */
export function replaceSkills(
  runtime: Pick<Runtime, 'tools'>,
  tool: Tool,
  format: Format,
): Tool & Definitions {
  return { ...tool, skills: [], ...buildDefinitions(runtime, format, [tool], true) };
}

/**
 * Returns the format unless the request also selects fields, which definitions do not have.
 * @throws GatewayError INVALID_INPUT
 */
export function refuseMixed(format: Format, { include, fields }: Selection): Format {
  if (include === undefined && fields === undefined) return format;
  const path = fields === undefined ? 'include' : 'fields';
  throw invalidFields([{ path, message: `\`${path}\` cannot be combined with \`format\`.` }]);
}

/**
 * Converts the skills of tools to definitions of functions.
 * @param isNamed whether the client named the tool: unavailable skills are left out of lists only
 */
function buildDefinitions(
  { tools: registry }: Pick<Runtime, 'tools'>,
  format: Format,
  tools: readonly Tool[],
  isNamed: boolean,
): Definitions {
  const { limit, define, wrap } = DIALECTS[format];
  const definitions: Definitions['definitions'] = [];
  const calls: Definitions['calls'] = {};
  const omitted: Definitions['omitted'] = [];
  for (const tool of tools) {
    const known = new Map(registry.findTool(tool.name)?.skills.map((skill) => [skill.name, skill]));
    for (const skill of tool.skills) {
      const target = { tool: tool.name, skill: skill.name };
      const found = known.get(skill.name);
      const isAvailable = isNamed || (tool.available && skill.available !== false);
      const definition = found && isAvailable ? define(describe(tool, skill, found)) : undefined;
      if (!isAvailable) omitted.push({ ...target, reason: 'unavailable' });
      else if (!definition) omitted.push({ ...target, reason: 'unsupported' });
      else if (definitions.length >= limit) omitted.push({ ...target, reason: 'limit' });
      else {
        definitions.push(definition);
        calls[toDefinitionName(tool.name, skill.name)] = target;
      }
    }
  }
  return { format, definitions: wrap(definitions), calls, omitted };
}

function describe(tool: Tool, skill: Skill, found: AnySkill): Described {
  const { free, price_usd, unit } = skill.pricing;
  const price = free ? 'Free.' : `Costs $${price_usd} per ${unit}.`;
  const returns = skill.returns ? ` Returns ${skill.returns.replace(/\.$/, '')}.` : '';
  const text = `${tool.displayName}: ${skill.description}${returns} ${price}`;
  return {
    name: toDefinitionName(tool.name, skill.name),
    title: skill.displayName,
    description: text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION - 1)}…` : text,
    input: getSchemas(found).input,
    annotations: skill.annotations,
  };
}
