import { GatewayError } from '../../core/errors/gateway-error';
import { isSkillError } from '../../core/errors/skill-error';
import type { Runtime } from '../../core/runtime';
import { chooseSkills, MAX_SKILLS } from './choose-skills';
import { cleanLine, titleOf } from './clean-text';
import { definitionHash, definitionOf, type LeftOut, type Reading, type Source } from './definition';
import { type Carrier, type ImportedTool, originOf, type Presentation, type ToolSlot } from './imported';
import type { ImportedPrice } from './price-of';
import { parseDocument, readDocument, serverOf } from './read-openapi';
import { readSource, readText } from './read-source';
import { isSkillName, nameSkills } from './skill-names';

const TOOL_NAME = /^[a-z][a-z0-9-]{0,63}$/;
const NOT_A_NAME = new Set(['search', 'call', 'batch']);
const SLOT_NAME = /^[a-z][a-z0-9-]{0,39}$/;
const MAX_SUBTITLE_CHARS = 120;
const MAX_NAMED_SKILLS = 12;

/** Where the operator says that the tool is. */
export type WantedSource =
  | { kind: 'mcp-http'; url: string }
  | { kind: 'mcp-stdio'; command: string; args: string[] }
  /** A document by its address, or its text. `server` is where its operations are asked, if not where it says. */
  | { kind: 'openapi'; url: string; server: string | null }
  | { kind: 'openapi'; text: string; server: string | null };

/** A credential as the operator describes it. */
export interface WantedSlot {
  slot: string;
  /** Null: as the document says; of several credentials that it has, `scheme` names one. */
  carrier: Carrier | null;
  scheme: string | null;
  displayName: string | null;
  acquireUrl: string | null;
  setupGuide: string | null;
  /** The platform's own value, to be sealed. */
  value: string | null;
}

/** What the operator asks for. */
export interface ImportRequest {
  name: string;
  source: WantedSource;
  price: ImportedPrice;
  /** By the name of the skill. */
  skillPrices: Readonly<Record<string, ImportedPrice>>;
  shown: Partial<
    Pick<Presentation, 'displayName' | 'subtitle' | 'description' | 'categories' | 'estimatedSeconds'>
  >;
  include: string[];
  exclude: string[];
  /** Names of skills by the upstream's. */
  rename: Readonly<Record<string, string>>;
  slot: WantedSlot | null;
  allowPrivate: boolean;
}

/** A tool as it would be, before anything is stored. */
export interface ImportPlan {
  tool: ImportedTool;
  leftOut: LeftOut[];
  /** The platform's own value for its slot. */
  value: string | null;
}

/**
 * Reads the source and makes a tool of it, without storing anything.
 * @throws GatewayError INVALID_INPUT where the wish cannot be fulfilled, HANDLER_ERROR where the source cannot be read
 */
export async function planImport(runtime: Runtime, request: ImportRequest): Promise<ImportPlan> {
  const { name, allowPrivate } = request;
  if (!TOOL_NAME.test(name) || NOT_A_NAME.has(name))
    throw wrong(
      `${name} is no name for a tool: use lower-case letters, digits and hyphens, a letter first; not search, call or batch.`,
    );
  if (runtime.tools.findTool(name)) throw wrong(`A tool is called ${name} already: choose another name.`);
  const { source, reading } = await read(runtime, request);
  const slot = slotOf(runtime, request, source, reading);
  const scheme = slot?.carrier.kind === 'header' ? schemeFor(request, reading) : null;
  const { skills, leftOut } = chooseSkills(reading, request, scheme);
  if (skills.length === 0) throw wrong(`Nothing of it makes a skill.${reasonsOf(leftOut)}`);
  if (skills.length > MAX_SKILLS)
    throw wrong(
      `It has ${skills.length} skills, and a tool has at most ${MAX_SKILLS}: choose some with --include PATTERN.`,
    );
  const definition = definitionOf(source, skills);
  const names = namesOf(
    request,
    skills.map(({ upstream }) => upstream),
  );
  const now = new Date();
  const tool: ImportedTool = {
    name,
    source,
    presentation: presentationOf(request, reading, names),
    version: reading.version || now.toISOString().slice(0, 10),
    definition,
    definitionHash: definitionHash(definition),
    pendingDefinition: null,
    changedAt: null,
    problem: null,
    disabledAt: null,
    connection: reading.connection,
    allowPrivate,
    price: request.price,
    skillPrices: pricesOf(request, names),
    slots: slot ? [slot] : [],
    revision: 1,
    checkedAt: now,
    createdAt: now,
    updatedAt: now,
  };
  return { tool, leftOut, value: request.slot?.value ?? null };
}

async function read(runtime: Runtime, request: ImportRequest): Promise<{ source: Source; reading: Reading }> {
  const { name: tool, source: wanted, slot, allowPrivate } = request;
  if (wanted.kind === 'openapi') return await readWantedDocument(runtime, wanted, allowPrivate);
  const value = slot?.value ?? null;
  const credentials = slot?.carrier && value !== null ? [{ carrier: slot.carrier, value }] : [];
  return { source: wanted, reading: await readSource(runtime, wanted, { tool, allowPrivate, credentials }) };
}

async function readWantedDocument(
  runtime: Runtime,
  wanted: WantedSource & { kind: 'openapi' },
  allowPrivate: boolean,
): Promise<{ source: Source; reading: Reading }> {
  const url = 'url' in wanted ? wanted.url : null;
  try {
    const document = parseDocument(
      'url' in wanted ? await readText(runtime, wanted.url, allowPrivate) : wanted.text,
    );
    const server = wanted.server ?? serverOf(document, url);
    if (!/^https?:\/\//.test(server))
      throw wrong(`The server ${server} is no http address: name it with --server https://….`);
    return {
      source: { kind: 'openapi', url, server: server.replace(/\/$/, '') },
      reading: readDocument(document),
    };
  } catch (error) {
    if (!isSkillError(error)) throw error;
    throw new GatewayError('HANDLER_ERROR', { message: error.message, cause: error });
  }
}

/** The credential of the document that the slot stands for; null where it is of the operator's own making. */
function schemeFor({ slot }: ImportRequest, { schemes, skills }: Reading): string | null {
  if (slot?.scheme != null) return slot.scheme;
  const needed = [...new Set(skills.flatMap(({ request }) => request?.scheme ?? []))];
  return needed.find((name) => Object.hasOwn(schemes, name)) ?? null;
}

function slotOf(runtime: Runtime, request: ImportRequest, source: Source, reading: Reading): ToolSlot | null {
  const { slot: wanted, name: tool } = request;
  if (!wanted) return null;
  const { slot } = wanted;
  if (!SLOT_NAME.test(slot))
    throw wrong(
      `${slot} is no name for a credential: use lower-case letters, digits and hyphens, at most 40.`,
    );
  if (runtime.slots.find(slot)) throw wrong(`A credential is called ${slot} already: choose another name.`);
  const carrier = wanted.carrier ?? carrierIn(request, reading);
  if ((carrier.kind === 'env') !== (source.kind === 'mcp-stdio'))
    throw wrong(
      source.kind === 'mcp-stdio'
        ? 'A program takes its credential from its environment: write --secret NAME:env=VARIABLE.'
        : 'Over HTTP a credential goes in a header: write --secret NAME:header=Authorization,format=Bearer {}.',
    );
  const shown = request.shown.displayName ?? titleOf(tool);
  const displayName = wanted.displayName ?? `${shown} key`;
  const acquireUrl = wanted.acquireUrl ?? originOf(source) ?? runtime.settings.baseUrl;
  return {
    slot,
    tool,
    carrier,
    displayName,
    description: `The credential of ${shown}, which this gateway's operator has brought.`,
    acquireUrl,
    setupGuide: wanted.setupGuide ?? `Get a key at ${acquireUrl}, then save it here.`,
    sealed: null,
    vaultKeyId: null,
    version: 0,
  };
}

function carrierIn(request: ImportRequest, reading: Reading): Carrier {
  const scheme = schemeFor(request, reading);
  const found =
    scheme !== null && Object.hasOwn(reading.schemes, scheme) ? reading.schemes[scheme] : undefined;
  if (found) return { kind: 'header', ...found };
  const known = Object.keys(reading.schemes);
  throw wrong(
    known.length > 0
      ? `The document has no credential ${scheme ?? 'that its operations need'}; it has: ${known.join(', ')}.`
      : 'Nothing says where the credential goes: write --secret NAME:header=Authorization,format=Bearer {}.',
  );
}

/** The names of its skills, by the upstream's. Pure. */
function namesOf({ rename }: ImportRequest, upstreams: readonly string[]): Record<string, string> {
  for (const [upstream, name] of Object.entries(rename)) {
    if (!upstreams.includes(upstream))
      throw wrong(`--rename ${upstream}: nothing that becomes a skill is called so.`);
    if (!isSkillName(name))
      throw wrong(
        `--rename ${upstream}=${name}: the name of a skill has lower-case letters, digits and underscores, a letter first.`,
      );
  }
  const names = nameSkills(upstreams, new Map(), new Map(Object.entries(rename)));
  for (const [upstream, name] of Object.entries(rename))
    if (names.get(upstream) !== name) throw wrong(`--rename: two skills would be called ${name}.`);
  return Object.fromEntries(names);
}

function pricesOf({ skillPrices }: ImportRequest, names: Readonly<Record<string, string>>) {
  const known = new Set(Object.values(names));
  for (const skill of Object.keys(skillPrices))
    if (!known.has(skill))
      throw wrong(`--skill-price ${skill}: there is no such skill; there are: ${[...known].join(', ')}.`);
  return { ...skillPrices };
}

function presentationOf(
  { name, shown, include, exclude }: ImportRequest,
  reading: Reading,
  names: Record<string, string>,
): Presentation {
  const displayName = shown.displayName ?? (titleOf(reading.title) || titleOf(name));
  // Descriptions are often Markdown; a subtitle is plain.
  const firstLine = (reading.description.split('\n')[0] ?? '').replace(/^[#>*\s-]+/, '');
  const chosen = reading.skills.filter(({ upstream }) => Object.hasOwn(names, upstream));
  const subtitle =
    shown.subtitle ??
    cleanLine(firstLine || `${displayName}, brought by the operator of this gateway.`, MAX_SUBTITLE_CHARS);
  return {
    displayName,
    subtitle,
    description:
      shown.description ?? (reading.description || `${subtitle.replace(/\.?$/, '.')} ${listOf(chosen)}`),
    categories: shown.categories ?? ['imported'],
    include,
    exclude,
    names,
    estimatedSeconds: shown.estimatedSeconds ?? 2,
  };
}

/** What a tool that says nothing of itself can do, for people and for the search. */
function listOf(skills: Reading['skills']): string {
  const shown = skills.slice(0, MAX_NAMED_SKILLS).map(({ title }) => title);
  const more = skills.length - shown.length;
  return `Skills: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

function reasonsOf(leftOut: readonly LeftOut[]): string {
  return leftOut
    .slice(0, 5)
    .map(({ upstream, reason }) => `\n  ${upstream}: ${reason}`)
    .join('');
}

function wrong(message: string): GatewayError {
  return new GatewayError('INVALID_INPUT', { message });
}
