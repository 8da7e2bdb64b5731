import { queryFields } from '../../kit/query-fields';
import { skillSchema, toolSchema } from './schema';

/** Fields of a skill that are large, and included on request or by default. */
export const SKILL_PARTS = ['input', 'inputSchema', 'outputSchema', 'examples'] as const;
export type SkillPart = (typeof SKILL_PARTS)[number];

/** `inputSchema` repeats `input`, so it is sent only on request. */
export const DETAIL: readonly SkillPart[] = ['input', 'outputSchema', 'examples'];

const FIELDS = [
  ...Object.keys(toolSchema.shape),
  ...Object.keys(skillSchema.shape).map((field) => `skills.${field}`),
];

const INCLUDED = `Fields of skills to add, separated by commas: ${SKILL_PARTS.map((part) => `\`${part}\``).join(', ')}. \`input_schema\` is another name of \`input\`.`;

export const includeInput = queryFields({
  names: [...SKILL_PARTS, 'input_schema'],
  about: INCLUDED,
  example: 'input',
});

/** Also adds the parts of skills that it names. */
export const fieldsInput = queryFields({
  names: FIELDS,
  about:
    'Return only these fields, separated by commas: fields of a tool, such as `name`, and of its skills, such as `skills.input`. Fields that are otherwise always present are left out too.',
  example: 'name,skills.name,skills.input',
});

/** What a request says about the size of its response. */
export interface Selection {
  include?: readonly (SkillPart | 'input_schema')[] | undefined;
  fields?: readonly string[] | undefined;
}

/** The parts of skills that a response needs. */
export function chooseParts(
  defaults: readonly SkillPart[],
  { include = [], fields = [] }: Selection,
): ReadonlySet<SkillPart> {
  const named = SKILL_PARTS.filter((part) => fields.includes(`skills.${part}`));
  const added = include.map((part) => (part === 'input_schema' ? 'input' : part));
  return new Set([...defaults, ...added, ...named]);
}
