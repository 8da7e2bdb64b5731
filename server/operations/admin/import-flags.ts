import { readFile } from 'node:fs/promises';
import type { ImportedPrice } from '../../catalog/imports/imported-price';
import { HEADER_NAME } from '../../catalog/imports/openapi-parameters';
import type { CredentialRequest, ImportRequest, ImportSource } from '../../catalog/imports/plan-import';
import type { Microusd } from '../../kit/money';
import { fromSettingsFolder } from '../../kit/settings-folder.mjs';
import { type FlagDefinition, type Flags, parseAmount, UsageError } from './arguments';

const MAX_SECONDS = 900;

/** How a tool is presented and priced, for an import and for a change. */
export const PRESENTATION_FLAGS = {
  price: { value: 'USD', about: 'the price of a call, such as 0.002' },
  free: { about: 'calls cost nothing' },
  'provider-cost': { value: 'USD', about: 'what a call costs you at the provider; added to the price' },
  'skill-price': { value: 'SKILL=USD', about: 'a different price for one skill', many: true },
  'display-name': { value: 'TEXT', about: "the tool's name on pages" },
  subtitle: { value: 'TEXT', about: 'what it does, in one line' },
  description: { value: 'TEXT', about: 'what it does, in a few sentences' },
  category: { value: 'NAME', about: 'the category it is listed in', many: true },
  'read-only': {
    value: 'PATTERN',
    about:
      'these change nothing at the upstream, as a completion of a model, so that their calls may start early; none: no others than the source names',
    many: true,
  },
  'estimated-seconds': {
    value: 'N',
    about: 'the duration of a typical call; from 30 on, calls are queued as jobs',
  },
} satisfies Record<string, FlagDefinition>;

export const IMPORT_FLAGS = {
  mcp: {
    value: 'URL|COMMAND',
    about: 'an MCP server: its URL, or its program with arguments, in quotes',
  },
  openapi: { value: 'FILE|URL', about: 'or an OpenAPI 3 document in JSON or YAML' },
  server: { value: 'URL', about: 'the base URL of the API, if not the one in the document' },
  name: { value: 'NAME', about: 'the name by which callers use the tool', required: true },
  ...PRESENTATION_FLAGS,
  include: { value: 'PATTERN', about: 'import only these; * matches anything', many: true },
  exclude: { value: 'PATTERN', about: 'do not import these', many: true },
  rename: { value: 'UPSTREAM=SKILL', about: 'a different name for a skill', many: true },
  secret: {
    value: 'SLOT[:HOW]',
    about:
      'its credential: NAME:header=Authorization,format=Bearer {} (Basic {base64} for user:password) or NAME:env=VARIABLE; NAME alone to use what the OpenAPI document defines; optionally ,title=… ,url=… ,guide=… ,scheme=…',
  },
  env: { value: 'NAME=VALUE', about: "a setting in the program's environment, not a secret", many: true },
  'with-secret': { about: "read the platform's own credential from standard input" },
  'allow-private': { about: 'allow the upstream, and nothing else, to be on a private network' },
  yes: { about: 'import the tool' },
  'dry-run': { about: 'only show the result' },
} satisfies Record<string, FlagDefinition>;

/**
 * Parses the flags of `tools import`.
 * @param readInput reads the platform's own credential, if it is given
 * @throws UsageError
 */
export async function parseImportRequest(
  flags: Flags,
  readInput: () => Promise<string>,
): Promise<ImportRequest> {
  const price = parsePrice(flags);
  if (!price) throw new UsageError('Set the price of a call: --price USD, or --free.');
  const full = { feeMicrousd: 0n, providerCostMicrousd: 0n, ...price };
  const slot = parseSecret(flags);
  if (flags.has('with-secret') && !slot)
    throw new UsageError('--with-secret requires --secret, which defines the credential.');
  const value = flags.has('with-secret') ? (await readInput()).trim() : null;
  if (value === '') throw new UsageError('--with-secret: standard input was empty.');
  return {
    name: flags.required('name'),
    source: await parseSource(flags),
    price: full,
    skillPrices: Object.fromEntries(
      parseSkillPrices(flags).map(([skill, feeMicrousd]) => [skill, { ...full, feeMicrousd }]),
    ),
    shown: parsePresentation(flags),
    include: flags.all('include'),
    exclude: flags.all('exclude'),
    rename: Object.fromEntries(flags.all('rename').map((text) => parsePair('rename', text))),
    slot: slot && { ...slot, value },
    allowPrivate: flags.has('allow-private'),
  };
}

async function parseSource(flags: Flags): Promise<ImportSource> {
  const mcp = flags.text('mcp');
  const openapi = flags.text('openapi');
  const server = flags.text('server') ?? null;
  if ((mcp === undefined) === (openapi === undefined))
    throw new UsageError('Name what to import with either --mcp or --openapi.');
  const env = parseVariables(flags);
  if (Object.keys(env).length > 0 && (mcp === undefined || /^https?:\/\//.test(mcp)))
    throw new UsageError('--env can only be used with a program.');
  if (mcp === undefined) {
    const where = openapi as string;
    if (server !== null) parseUrl('server', server);
    if (/^https?:\/\//.test(where)) return { kind: 'openapi', url: parseUrl('openapi', where), server };
    const text = await readFile(fromSettingsFolder(where), 'utf8').catch(() => {
      throw new UsageError(
        `--openapi ${where} cannot be read: name a file, or a URL that begins with https://.`,
      );
    });
    return { kind: 'openapi', text, server };
  }
  if (server !== null) throw new UsageError('--server can only be used with --openapi.');
  if (/^https?:\/\//.test(mcp)) return { kind: 'mcp-http', url: parseUrl('mcp', mcp) };
  const [command, ...args] = splitWords(mcp);
  if (command === undefined) throw new UsageError('--mcp: name a URL or a program.');
  return { kind: 'mcp-stdio', command, args, ...(Object.keys(env).length > 0 && { env }) };
}

function parseVariables(flags: Flags): Record<string, string> {
  const pairs = flags.all('env').map((text): [string, string] => {
    const [name, value] = parsePair('env', text);
    if (!isVariable(name))
      throw new UsageError(
        `--env ${name}: name a variable, and not one that controls how programs run, such as PATH.`,
      );
    return [name, value];
  });
  return Object.fromEntries(pairs);
}

function parseUrl(flag: string, text: string): string {
  if (!URL.canParse(text)) throw new UsageError(`--${flag} ${text} is not a valid URL.`);
  const url = new URL(text);
  if (url.username || url.password)
    throw new UsageError(
      `--${flag}: a URL must not contain a password; define the credential with --secret.`,
    );
  if (!/^https?:$/.test(url.protocol))
    throw new UsageError(`--${flag} ${text}: use a URL that begins with https:// or http://.`);
  url.hash = '';
  return url.href;
}

/** Splits words with quotes as a shell does; no shell ever runs them. */
export function splitWords(text: string): string[] {
  const words = text.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single ?? ''),
  );
}

/** The parts of the price that the flags set; null if they set none. */
export function parsePrice(flags: Flags): Partial<ImportedPrice> | null {
  const fee = flags.amount('price');
  const cost = flags.amount('provider-cost');
  const free = flags.has('free');
  if (free && (fee !== undefined || cost !== undefined))
    throw new UsageError('--free cannot be combined with --price or --provider-cost.');
  if (free) return { feeMicrousd: 0n, providerCostMicrousd: 0n };
  if (fee === undefined && cost === undefined) return null;
  return {
    ...(fee !== undefined && { feeMicrousd: fee }),
    ...(cost !== undefined && { providerCostMicrousd: cost }),
  };
}

export function parseSkillPrices(flags: Flags): [string, Microusd][] {
  return flags.all('skill-price').map((text) => {
    const [skill, amount] = parsePair('skill-price', text);
    return [skill, parseAmount(`skill-price ${skill}=`, amount)];
  });
}

export function parsePresentation(flags: Flags): ImportRequest['shown'] {
  const categories = flags.all('category');
  const readOnly = flags.all('read-only');
  const seconds = flags.text('estimated-seconds');
  if (seconds !== undefined && !(/^\d{1,3}$/.test(seconds) && Number(seconds) <= MAX_SECONDS))
    throw new UsageError(`--estimated-seconds ${seconds}: write whole seconds, at most ${MAX_SECONDS}.`);
  for (const category of categories)
    if (!/^[a-z][a-z0-9-]{0,39}$/.test(category))
      throw new UsageError(`--category ${category}: use lower-case letters, digits and hyphens.`);
  const texts = {
    displayName: flags.text('display-name'),
    subtitle: flags.text('subtitle'),
    description: flags.text('description'),
  };
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
    ...(categories.length > 0 && { categories }),
    ...(readOnly.length > 0 && { readOnly: readOnly.filter((pattern) => pattern !== 'none') }),
    ...(seconds !== undefined && { estimatedSeconds: Number(seconds) }),
  };
}

/** Parses `NAME` or `NAME:key=value,…`; only a comma before a known key ends a value. */
function parseSecret(flags: Flags): Omit<CredentialRequest, 'value'> | null {
  const text = flags.text('secret');
  if (text === undefined) return null;
  const at = text.indexOf(':');
  const slot = at < 0 ? text : text.slice(0, at);
  const how = new Map<string, string>();
  for (const part of at < 0
    ? []
    : text.slice(at + 1).split(/,(?=(?:header|format|env|scheme|title|url|guide)=)/)) {
    const [key, value] = parsePair('secret', part);
    how.set(key, value.replace(/^'(.*)'$|^"(.*)"$/, '$1$2'));
  }
  const header = how.get('header');
  const format = how.get('format') ?? '{}';
  const variable = how.get('env');
  if (header !== undefined && variable !== undefined)
    throw new UsageError('--secret: use either header= or env=, not both.');
  if (header !== undefined && !(HEADER_NAME.test(header) && /\{(?:base64)?\}/.test(format)))
    throw new UsageError(
      '--secret: header= must be a header name, and format= must contain {} in place of the credential, or {base64} for a user name and password of HTTP Basic.',
    );
  if (variable !== undefined && !isVariable(variable))
    throw new UsageError(
      '--secret: env= must be a variable name, and not one that controls how programs run, such as PATH.',
    );
  const url = how.get('url');
  return {
    slot,
    carrier:
      header !== undefined
        ? { kind: 'header', header, format }
        : variable !== undefined
          ? { kind: 'env', variable }
          : null,
    scheme: how.get('scheme') ?? null,
    displayName: how.get('title') ?? null,
    acquireUrl: url === undefined ? null : parseUrl('secret url=', url),
    setupGuide: how.get('guide') ?? null,
  };
}

const RESERVED = new Set(['PATH', 'HOME', 'NODE_OPTIONS', 'LD_PRELOAD', 'LD_LIBRARY_PATH']);

function isVariable(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) && !RESERVED.has(name);
}

function parsePair(flag: string, text: string): [string, string] {
  // Upstream names may contain the equals sign, and so may a header's format.
  const at = flag === 'secret' || flag === 'env' ? text.indexOf('=') : text.lastIndexOf('=');
  if (at < 1 || at === text.length - 1) throw new UsageError(`--${flag} ${text}: write it as NAME=VALUE.`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
