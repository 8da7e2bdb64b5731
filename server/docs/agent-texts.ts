import { describeAvailability } from '../catalog/tools/describe-availability';
import { listTools } from '../catalog/tools/find-tools';
import type { Skill, Tool } from '../catalog/tools/schema';
import type { Runtime } from '../core/runtime';
import { publishMarkdown, readDocument, readGuides } from './read-guides';

/** Limit of tools in a text for agents; larger than any real catalogue. */
const MAX_TOOLS = 500;

/** `/llms.txt` (llmstxt.org): what this is, the three requests, then links. */
export async function writeLlmsText(runtime: Runtime): Promise<string> {
  const { baseUrl } = runtime.settings;
  const guides = await readGuides(baseUrl);
  const { tools } = await listTools(runtime, { limit: MAX_TOOLS });
  return [
    noteProvisioning(runtime, await readIntroduction(runtime)),
    section('Documentation', [
      ...guides.map(({ name, title, summary }) => `[${title}](${baseUrl}/docs/${name}.md): ${summary}`),
      `[Everything in one text](${baseUrl}/llms-full.txt): all guides and the catalogue`,
    ]),
    section('For agents', [
      `[skill.md](${baseUrl}/skill.md): an Agent Skill that teaches how to use this gateway`,
      `[OpenAPI 3.1](${baseUrl}/openapi.json): every route, field and error`,
      `[MCP](${baseUrl}/mcp): the same tools over the Model Context Protocol (Streamable HTTP)`,
    ]),
    section(
      'Tools',
      tools.map(
        (tool) => `[${tool.name}](${baseUrl}/v1/tools/${tool.name}): ${tool.subtitle}. ${skillNames(tool)}`,
      ),
    ),
    section('Optional', [
      `[API reference](${baseUrl}/docs/api): the same as the OpenAPI document, for people`,
      `[Catalogue](${baseUrl}/tools): the tools, for people`,
    ]),
    '',
  ].join('\n\n');
}

/** `/llms-full.txt`: all guides and the catalogue with its prices, as one Markdown text. */
export async function writeLlmsFullText(runtime: Runtime): Promise<string> {
  const { baseUrl } = runtime.settings;
  const guides = await readGuides(baseUrl);
  const { tools } = await listTools(runtime, { limit: MAX_TOOLS });
  return [
    noteProvisioning(runtime, await readIntroduction(runtime)),
    ...guides.map(({ markdown }) => publishMarkdown(markdown, baseUrl).trim()),
    '# Tools',
    ...tools.map(renderTool),
    '',
  ].join('\n\n');
}

/** The beginning of both texts, with the gateway's name as its title. */
async function readIntroduction({ settings }: Pick<Runtime, 'settings'>): Promise<string> {
  const text = await readDocument('docs/agents/llms.md', settings.baseUrl);
  return text.trim().replace(/^# .*$/m, () => `# ${settings.brand.name}`);
}

/** `/skill.md`: an Agent Skill (agentskills.io) for this gateway. */
export async function writeSkill(runtime: Pick<Runtime, 'settings'>): Promise<string> {
  const { baseUrl } = runtime.settings;
  const text = await readDocument('docs/agents/skill.md', baseUrl);
  return noteProvisioning(runtime, publishMarkdown(text, baseUrl));
}

/** A guide as Markdown; null if none has this name. */
export async function writeGuide(runtime: Pick<Runtime, 'settings'>, name: string): Promise<string | null> {
  const { baseUrl } = runtime.settings;
  const guide = (await readGuides(baseUrl)).find((candidate) => candidate.name === name);
  return guide ? noteProvisioning(runtime, publishMarkdown(guide.markdown, baseUrl)) : null;
}

/** Adds, below title and summary, that this gateway issues no keys without sign-up, if so. */
function noteProvisioning({ settings }: Pick<Runtime, 'settings'>, markdown: string): string {
  if (settings.access.provisioning) return markdown;
  const note = `**This gateway issues no keys without sign-up.** Where this text provisions a key, use one that a person creates at ${settings.baseUrl}/dashboard/keys.`;
  return markdown.replace(/^# .*\n(?:\n> .*\n)?/m, (title) => `${title}\n${note}\n`);
}

function section(title: string, lines: readonly string[]): string {
  return [`## ${title}`, '', ...lines.map((line) => `- ${line}`)].join('\n');
}

function skillNames({ skills }: Tool): string {
  return `Skills: ${skills.map((skill) => [skill.name, describeMarks(skill)].filter(Boolean).join(' ')).join(', ')}`;
}

const MARKS = { ready: null, needs_provider_key: 'needs your provider key', unavailable: 'unavailable' };

/** Formats `(free, unavailable)`, empty for a paid skill that is ready. */
function describeMarks({ pricing, availability }: Skill): string {
  const marks = [pricing.free ? 'free' : null, MARKS[availability]].filter(Boolean);
  return marks.length > 0 ? `(${marks.join(', ')})` : '';
}

function renderTool(tool: Tool): string {
  const { name, displayName, description, skills } = tool;
  const missing = describeAvailability(tool);
  return [
    `## ${displayName} (\`${name}\`)`,
    '',
    description,
    ...(missing === '' ? [] : ['', missing]),
    '',
    ...skills.map((skill) => {
      const why = skill.unavailable_reason === tool.unavailable_reason ? '' : describeAvailability(skill);
      return `- \`${name}.${skill.name}\` (${formatPrice(skill)}): ${skill.description}${why && ` ${why}`}`;
    }),
  ].join('\n');
}

function formatPrice({ pricing }: Skill): string {
  return pricing.free ? 'free' : `$${pricing.price_usd} per ${pricing.unit}`;
}
