import { GatewayError } from '../../core/errors/gateway-error';
import { isSkillError } from '../../core/errors/skill-error';
import type { Runtime } from '../../core/runtime';
import { cleanLine, toTitle } from '../../kit/clean-text';
import { chooseSkills, MAX_SKILLS } from './choose-skills';
import {
  createDefinition,
  definitionHash,
  type PinnedSkill,
  type SkippedSkill,
  type Source,
  type SourceSnapshot,
} from './definition';
import {
  type Carrier,
  getOrigin,
  type ImportedTool,
  type Presentation,
  type ToolCredential,
} from './imported';
import type { ImportedPrice } from './imported-price';
import { getServerUrl, parseServer } from './openapi-servers';
import { parseDocument, readDocument } from './read-openapi';
import { readSource, readText } from './read-source';
import { fitsAny, isSkillName, nameSkills } from './skill-names';
import { findSlowPatterns } from './slow-patterns';

const TOOL_NAME = /^[a-z][a-z0-9-]{0,63}$/;
const NOT_A_NAME = new Set(['search', 'call', 'batch']);
const SLOT_NAME = /^[a-z][a-z0-9-]{0,39}$/;
const MAX_SUBTITLE_CHARS = 120;
const MAX_NAMED_SKILLS = 12;
/** In the message of an import that is too large. */
const MAX_LISTED = 1_000;

/** The source that the operator named. */
export type ImportSource =
  | { kind: 'mcp-http'; url: string }
  | { kind: 'mcp-stdio'; command: string; args: string[]; env?: Record<string, string> }
  /** A document by its URL, or its text. `server` overrides the server in the document. */
  | { kind: 'openapi'; url: string; server: string | null }
  | { kind: 'openapi'; text: string; server: string | null };

/** A credential that the operator described. */
export interface CredentialRequest {
  slot: string;
  /** Null: use the document's credential; `scheme` names one if there are several. */
  carrier: Carrier | null;
  scheme: string | null;
  displayName: string | null;
  acquireUrl: string | null;
  setupGuide: string | null;
  /** The platform's value, not yet sealed. */
  value: string | null;
}

/** The operator's import request. */
export interface ImportRequest {
  name: string;
  source: ImportSource;
  price: ImportedPrice;
  /** By skill name. */
  skillPrices: Readonly<Record<string, ImportedPrice>>;
  shown: Partial<
    Pick<
      Presentation,
      'displayName' | 'subtitle' | 'description' | 'categories' | 'readOnly' | 'estimatedSeconds'
    >
  >;
  include: string[];
  exclude: string[];
  /** Skill names by the upstream's names. */
  rename: Readonly<Record<string, string>>;
  slot: CredentialRequest | null;
  allowPrivate: boolean;
}

/** A tool that is ready to be stored. */
export interface ImportPlan {
  tool: ImportedTool;
  leftOut: SkippedSkill[];
  /** What the operator should know about skills that are imported. */
  warnings: SkippedSkill[];
  /** The platform's value of its credential. */
  value: string | null;
}

/**
 * Reads the source and builds a tool, without storing anything.
 * @throws GatewayError INVALID_INPUT for an impossible request; HANDLER_ERROR if the source cannot
 *   be read
 */
export async function planImport(
  runtime: Pick<Runtime, 'ports' | 'settings' | 'slots' | 'tools'>,
  request: ImportRequest,
): Promise<ImportPlan> {
  const { name, allowPrivate } = request;
  if (!TOOL_NAME.test(name) || NOT_A_NAME.has(name))
    throw invalidInput(
      `${name} is not a valid tool name: use lower-case letters, digits and hyphens, starting with a letter; search, call and batch are reserved.`,
    );
  if (runtime.tools.findTool(name))
    throw invalidInput(`A tool named ${name} already exists: choose another name.`);
  const { source, reading } = await read(runtime, request);
  const slot = buildCredential(runtime, request, source, reading);
  const scheme = slot?.carrier.kind === 'header' ? schemeFor(request, reading) : null;
  const { skills, leftOut } = await chooseSkills(reading, request, scheme);
  if (skills.length === 0)
    throw invalidInput(`No tool or operation of this source can become a skill.${formatReasons(leftOut)}`);
  if (skills.length > MAX_SKILLS)
    throw invalidInput(
      `The source has ${skills.length} skills, but a tool can have at most ${MAX_SKILLS}: choose some with --include PATTERN, in which * matches anything. They are: ${formatNames(skills)}.`,
    );
  const definition = createDefinition(source, skills);
  const names = resolveSkillNames(
    request,
    skills.map(({ upstream }) => upstream),
  );
  rejectUnknownPatterns(request.shown.readOnly ?? [], skills);
  const now = new Date();
  const tool: ImportedTool = {
    name,
    source,
    presentation: buildPresentation(request, reading, names),
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
    skillPrices: resolveSkillPrices(request, names),
    slots: slot ? [slot] : [],
    revision: 1,
    checkedAt: now,
    createdAt: now,
    updatedAt: now,
  };
  const chosen = new Set(skills.map(({ upstream }) => upstream));
  const warnings = [
    ...reading.warnings.filter(({ upstream }) => chosen.has(upstream)),
    ...(await findSlowPatterns(skills)),
  ];
  return { tool, leftOut, warnings, value: request.slot?.value ?? null };
}

async function read(
  runtime: Pick<Runtime, 'ports' | 'settings'>,
  request: ImportRequest,
): Promise<{ source: Source; reading: SourceSnapshot }> {
  const { name: tool, source: wanted, slot, allowPrivate } = request;
  if (wanted.kind === 'openapi') return await readWantedDocument(runtime, wanted, allowPrivate);
  const value = slot?.value ?? null;
  const credentials = slot?.carrier && value !== null ? [{ carrier: slot.carrier, value }] : [];
  return { source: wanted, reading: await readSource(runtime, wanted, { tool, allowPrivate, credentials }) };
}

async function readWantedDocument(
  runtime: Pick<Runtime, 'ports'>,
  wanted: ImportSource & { kind: 'openapi' },
  allowPrivate: boolean,
): Promise<{ source: Source; reading: SourceSnapshot }> {
  const url = 'url' in wanted ? wanted.url : null;
  try {
    const document = await parseDocument(
      'url' in wanted ? await readText(runtime, wanted.url, allowPrivate) : wanted.text,
    );
    const server = wanted.server === null ? getServerUrl(document, url) : parseServer(wanted.server);
    return {
      source: { kind: 'openapi', url, server },
      reading: await readDocument(document, { url, server }),
    };
  } catch (error) {
    if (!isSkillError(error)) throw error;
    throw new GatewayError('HANDLER_ERROR', { message: error.message, cause: error });
  }
}

/** Returns the document's credential that the tool uses; null if the operator defined another. */
function schemeFor({ slot }: ImportRequest, { schemes, skills }: SourceSnapshot): string | null {
  if (slot?.scheme != null) return slot.scheme;
  const needed = [...new Set(skills.flatMap(({ request }) => request?.scheme ?? []))];
  return needed.find((name) => Object.hasOwn(schemes, name)) ?? null;
}

function buildCredential(
  runtime: Pick<Runtime, 'settings' | 'slots'>,
  request: ImportRequest,
  source: Source,
  reading: SourceSnapshot,
): ToolCredential | null {
  const { slot: wanted, name: tool } = request;
  if (!wanted) return null;
  const { slot } = wanted;
  if (!SLOT_NAME.test(slot))
    throw invalidInput(
      `${slot} is not a valid credential name: use at most 40 lower-case letters, digits and hyphens, starting with a letter.`,
    );
  if (runtime.slots.find(slot))
    throw invalidInput(`A credential named ${slot} already exists: choose another name.`);
  const carrier = wanted.carrier ?? findCarrier(request, reading);
  if ((carrier.kind === 'env') !== (source.kind === 'mcp-stdio'))
    throw invalidInput(
      source.kind === 'mcp-stdio'
        ? 'A program reads its credential from its environment: use --secret NAME:env=VARIABLE.'
        : 'Over HTTP, a credential is sent in a header: use --secret NAME:header=Authorization,format=Bearer {}.',
    );
  const shown = request.shown.displayName ?? toTitle(tool);
  const displayName = wanted.displayName ?? `${shown} key`;
  const acquireUrl = wanted.acquireUrl ?? getOrigin(source) ?? runtime.settings.baseUrl;
  return {
    slot,
    tool,
    carrier,
    displayName,
    description: `The credential of ${shown}, a tool that this gateway's operator imported.`,
    acquireUrl,
    setupGuide: wanted.setupGuide ?? `Get a key at ${acquireUrl}, then save it here.`,
    sealed: null,
    vaultKeyId: null,
    version: 0,
  };
}

function findCarrier(request: ImportRequest, reading: SourceSnapshot): Carrier {
  const scheme = schemeFor(request, reading);
  const found =
    scheme !== null && Object.hasOwn(reading.schemes, scheme) ? reading.schemes[scheme] : undefined;
  if (found) return { kind: 'header', ...found };
  const known = Object.keys(reading.schemes);
  throw invalidInput(
    known.length > 0
      ? `The document defines no credential ${scheme ?? 'that its operations need'}; it defines: ${known.join(', ')}.`
      : 'The source does not define how to send the credential: use --secret NAME:header=Authorization,format=Bearer {}.',
  );
}

/** Returns the skill names by the upstream's names. Pure. */
function resolveSkillNames({ rename }: ImportRequest, upstreams: readonly string[]): Record<string, string> {
  for (const [upstream, name] of Object.entries(rename)) {
    if (!upstreams.includes(upstream))
      throw invalidInput(`--rename ${upstream}: the source has no usable skill of this name.`);
    if (!isSkillName(name))
      throw invalidInput(
        `--rename ${upstream}=${name}: a skill name has lower-case letters, digits and underscores, and starts with a letter.`,
      );
  }
  const names = nameSkills(upstreams, new Map(), new Map(Object.entries(rename)));
  for (const [upstream, name] of Object.entries(rename))
    if (names.get(upstream) !== name) throw invalidInput(`--rename: two skills would be named ${name}.`);
  return Object.fromEntries(names);
}

function resolveSkillPrices({ skillPrices }: ImportRequest, names: Readonly<Record<string, string>>) {
  const known = new Set(Object.values(names));
  for (const skill of Object.keys(skillPrices))
    if (!known.has(skill))
      throw invalidInput(`--skill-price ${skill}: no such skill; the skills are: ${[...known].join(', ')}.`);
  return { ...skillPrices };
}

/** @throws GatewayError INVALID_INPUT for a pattern that fits no skill: it may be misspelt */
export function rejectUnknownPatterns(
  patterns: readonly string[],
  skills: readonly { upstream: string }[],
): void {
  for (const pattern of patterns)
    if (!skills.some(({ upstream }) => fitsAny(upstream, [pattern])))
      throw invalidInput(
        `--read-only ${pattern}: no such operation; they are: ${skills.map(({ upstream }) => upstream).join(', ')}.`,
      );
}

function buildPresentation(
  { name, shown, include, exclude }: ImportRequest,
  reading: SourceSnapshot,
  names: Record<string, string>,
): Presentation {
  const displayName = shown.displayName ?? (toTitle(reading.title) || toTitle(name));
  // Descriptions are often Markdown, but a subtitle is plain text.
  const firstLine = (reading.description.split('\n')[0] ?? '').replace(/^[#>*\s-]+/, '');
  const chosen = reading.skills.filter(({ upstream }) => Object.hasOwn(names, upstream));
  const subtitle =
    shown.subtitle ??
    cleanLine(firstLine || `${displayName}, imported by the operator of this gateway.`, MAX_SUBTITLE_CHARS);
  return {
    displayName,
    subtitle,
    description:
      shown.description ??
      (reading.description || `${subtitle.replace(/\.?$/, '.')} ${summarizeSkills(chosen)}`),
    categories: shown.categories ?? ['imported'],
    include,
    exclude,
    readOnly: shown.readOnly ?? [],
    names,
    estimatedSeconds: shown.estimatedSeconds ?? 2,
  };
}

/**
 * Describes a tool without a description of its own by its skills, for people and for the search.
 */
function summarizeSkills(skills: SourceSnapshot['skills']): string {
  const shown = skills.slice(0, MAX_NAMED_SKILLS).map(({ title }) => title);
  const more = skills.length - shown.length;
  return `Skills: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

function formatNames(skills: readonly PinnedSkill[]): string {
  const names = skills.slice(0, MAX_LISTED).map(({ upstream }) => upstream);
  const more = skills.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function formatReasons(leftOut: readonly SkippedSkill[]): string {
  return leftOut
    .slice(0, 5)
    .map(({ upstream, reason }) => `\n  ${upstream}: ${reason}`)
    .join('');
}

function invalidInput(message: string): GatewayError {
  return new GatewayError('INVALID_INPUT', { message });
}
