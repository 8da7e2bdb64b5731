import type { Shape } from '../../client.js';
import { unwrapData } from '../../responses.js';
import type { Command } from '../command.js';
import { describeType, type JsonSchema, resolveReferences } from '../json-schema.js';
import { formatColumns, formatDollars, type Output } from '../output.js';
import { readIntegerFlag } from '../parse-numbers.js';
import type { Session } from '../session.js';
import { skillNotFound } from '../skill-not-found.js';

const MAX_LISTED = 500;
const MAX_DESCRIPTION_CHARS = 90;

export const tools: Command = {
  name: 'tools',
  usage: '',
  about: 'List all tools',
  words: [0, 0],
  flags: {
    category: { value: 'NAME', about: 'only tools in this category' },
    limit: { value: 'N', about: 'at most N tools' },
  },
  async run(session, args) {
    const limit = readIntegerFlag(args, 'limit', 1, MAX_LISTED);
    const { api } = await session.client();
    const category = args.text('category');
    const query = { ...(category !== undefined && { category }), ...(limit !== undefined && { limit }) };
    const found = unwrapData(await api.GET('/v1/tools', { params: { query } }));
    await session.output.data(found, () => formatTools(found.tools));
    return undefined;
  },
};

export const search: Command = {
  name: 'search',
  usage: '<words …>',
  about: 'Search for tools by what you want to do',
  words: [1, 100],
  flags: { limit: { value: 'N', about: 'at most N tools' } },
  async run(session, args) {
    const limit = readIntegerFlag(args, 'limit', 1, MAX_LISTED);
    const { api } = await session.client();
    const query = { q: args.words.join(' '), ...(limit !== undefined && { limit }) };
    const found = unwrapData(await api.GET('/v1/tools/search', { params: { query } }));
    await session.output.data(found, () =>
      found.tools.length === 0 ? describeNothing(found.nearest_categories ?? []) : formatFound(found.tools),
    );
    return undefined;
  },
};

export const info: Command = {
  name: 'info',
  usage: '<tool> [skill]',
  about: 'Show the description, inputs and price of a tool or one of its skills',
  words: [1, 2],
  async run(session, { words: [tool = '', skill] }) {
    const { api } = await session.client();
    const found = unwrapData(await api.GET('/v1/tools/{tool}', { params: { path: { tool } } }));
    if (skill === undefined) await session.output.data(found, () => describeTool(session.output, found));
    else await printSkill(session, found, skill);
    return undefined;
  },
};

async function printSkill({ output }: Session, tool: Shape<'Tool'>, name: string): Promise<void> {
  const skill = tool.skills.find((known) => known.name === name);
  if (skill) return await output.data(skill, () => describeSkill(output, tool.name, skill));
  throw skillNotFound(tool.name, name, tool.skills);
}

function describeNothing(categories: readonly string[]): string {
  if (categories.length === 0) return 'No tool does this. List all tools with tool-gateway tools.';
  const commands = categories.map((category) => `  tool-gateway tools --category ${category}`);
  return ['No tool does this. The nearest categories:', ...commands].join('\n');
}

/** Formats one line per matching skill; the first skill is the best of its tool. */
function formatFound(tools: readonly Shape<'FoundTool'>[]): string {
  return formatColumns(
    tools.flatMap((tool) =>
      tool.skills.map((skill) => [
        `${tool.name} ${skill.name}`,
        isAvailable(tool, skill) ? formatPrice(skill) : 'unavailable',
        truncate(skill.description),
      ]),
    ),
  );
}

function isAvailable(tool: Shape<'FoundTool'>, skill: Shape<'Skill'>): boolean {
  return tool.available && skill.available !== false;
}

function formatTools(tools: readonly Shape<'Tool'>[]): string {
  return formatColumns(
    tools.map((tool) => [tool.name, formatLowestPrice(tool), describeState(tool), truncate(tool.subtitle)]),
  );
}

type Callable = Pick<Shape<'Skill'>, 'availability' | 'provider_keys'> & {
  unavailable_reason?: string | null;
};

const STATES = { ready: '', needs_provider_key: 'needs your key', unavailable: 'unavailable' };

function describeState({ availability }: Callable): string {
  return STATES[availability];
}

/** Why a tool or skill is not ready, and the flag that carries a provider key; none if it is. */
function explainState({
  availability,
  unavailable_reason: reason,
  provider_keys: keys = [],
}: Callable): string[] {
  if (availability === 'ready') return [];
  const flags = keys.map(({ name }) => `--provider-key ${name}`).join(' or ');
  return [
    `${availability === 'unavailable' ? 'Unavailable' : 'Needs your key'}: ${reason}`,
    ...(flags ? [`Call it with ${flags}.`] : []),
  ];
}

function formatLowestPrice({ skills }: Shape<'Tool'>): string {
  const prices = skills.map(({ pricing }) => (pricing.free ? 0 : pricing.price_usd));
  const least = Math.min(...prices);
  if (!Number.isFinite(least)) return '';
  return least === 0 ? 'free' : `from ${formatDollars(least)}`;
}

function formatPrice({ pricing }: Shape<'Skill'>): string {
  return pricing.free ? 'free' : `${formatDollars(pricing.price_usd)} (${pricing.unit})`;
}

function describeTool(output: Output, tool: Shape<'Tool'>): string {
  const skills = tool.skills.map((skill) => [
    `  ${skill.name}`,
    formatPrice(skill),
    describeState(skill),
    truncate(skill.description),
  ]);
  return [
    `${output.bold(tool.displayName)}  ${tool.name} ${tool.version}`,
    tool.description,
    ...explainState(tool),
    '',
    formatColumns(skills),
    '',
    `Details: tool-gateway info ${tool.name} <skill>`,
  ].join('\n');
}

function describeSkill(output: Output, tool: string, skill: Shape<'Skill'>): string {
  const schema = (skill.input ?? {}) as JsonSchema;
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    `  --${name}`,
    schema.required?.includes(name) ? 'required' : '',
    describeType(field, schema),
    truncate(resolveReferences(field, schema).description ?? field.description ?? ''),
  ]);
  const [example] = skill.examples ?? [];
  return [
    `${output.bold(skill.displayName)}  ${tool} ${skill.name} · ${formatPrice(skill)}`,
    skill.description,
    ...explainState(skill),
    '',
    ...(fields.length > 0 ? [formatColumns(fields), ''] : []),
    ...(skill.returns ? [`Returns: ${skill.returns}`] : []),
    ...(example ? [`Example: ${formatExample(tool, skill.name, example.input)}`] : []),
  ].join('\n');
}

/** Formats an example call that can be pasted into a POSIX shell. */
export function formatExample(tool: string, skill: string, input: Record<string, unknown>): string {
  return `tool-gateway call ${tool} ${skill} --input ${quoteForShell(JSON.stringify(input))}`;
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function truncate(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > MAX_DESCRIPTION_CHARS ? `${line.slice(0, MAX_DESCRIPTION_CHARS - 1)}…` : line;
}
