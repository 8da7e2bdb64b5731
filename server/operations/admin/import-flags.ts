import { readFile } from 'node:fs/promises';
import type { ImportRequest, WantedSlot, WantedSource } from '../../catalog/imports/plan-import';
import type { ImportedPrice } from '../../catalog/imports/price-of';
import type { Microusd } from '../../kit/money';
import { type FlagDefinition, type Flags, readAmount, UsageError } from './arguments';

const MAX_SECONDS = 900;

/** How a tool is shown and priced: for an import and for a change. */
export const SHOWN_FLAGS = {
  price: { value: 'USD', about: 'what a call costs, such as 0.002' },
  free: { about: 'calls cost nothing' },
  'provider-cost': { value: 'USD', about: 'what a call costs you at its provider; added to the price' },
  'skill-price': { value: 'SKILL=USD', about: 'another price for one skill', many: true },
  'display-name': { value: 'TEXT', about: 'how the tool is called on pages' },
  subtitle: { value: 'TEXT', about: 'what it does, in one line' },
  description: { value: 'TEXT', about: 'what it does, in some sentences' },
  category: { value: 'NAME', about: 'where it is listed', many: true },
  'estimated-seconds': { value: 'N', about: 'a typical call; from 30 on calls are queued as jobs' },
} satisfies Record<string, FlagDefinition>;

export const IMPORT_FLAGS = {
  mcp: {
    value: 'URL|COMMAND',
    about: 'an MCP server: its address, or the program with its arguments in quotes',
  },
  openapi: { value: 'FILE|URL', about: 'or an OpenAPI 3 document in JSON' },
  server: { value: 'URL', about: 'where the operations are asked, if not where the document says' },
  name: { value: 'NAME', about: 'how callers name the tool', required: true },
  ...SHOWN_FLAGS,
  include: { value: 'PATTERN', about: 'only these of the upstream; * stands for anything', many: true },
  exclude: { value: 'PATTERN', about: 'not these', many: true },
  rename: { value: 'UPSTREAM=SKILL', about: 'another name for a skill', many: true },
  secret: {
    value: 'SLOT[:HOW]',
    about:
      'its credential: NAME:header=Authorization,format=Bearer {} or NAME:env=VARIABLE; NAME alone as an OpenAPI document says; also ,title=… ,url=… ,guide=… ,scheme=…',
  },
  'with-secret': { about: "the platform's own credential is read from standard input" },
  'allow-private': { about: 'the upstream may be on a private network; only it is reached' },
  yes: { about: 'import it' },
  'dry-run': { about: 'only show what it would be' },
} satisfies Record<string, FlagDefinition>;

/**
 * What the flags of `tools import` ask for.
 * @param input the platform's own credential, where it is wanted
 * @throws UsageError
 */
export async function readImportRequest(
  flags: Flags,
  readInput: () => Promise<string>,
): Promise<ImportRequest> {
  const price = readPrice(flags);
  if (!price) throw new UsageError('Say what a call costs: --price USD, or --free.');
  const full = { feeMicrousd: 0n, providerCostMicrousd: 0n, ...price };
  const slot = readSlot(flags);
  if (flags.has('with-secret') && !slot)
    throw new UsageError('--with-secret needs --secret: which credential it is.');
  const value = flags.has('with-secret') ? (await readInput()).trim() : null;
  if (value === '') throw new UsageError('--with-secret: standard input was empty.');
  return {
    name: flags.required('name'),
    source: await readWantedSource(flags),
    price: full,
    skillPrices: Object.fromEntries(
      readSkillPrices(flags).map(([skill, feeMicrousd]) => [skill, { ...full, feeMicrousd }]),
    ),
    shown: readShown(flags),
    include: flags.all('include'),
    exclude: flags.all('exclude'),
    rename: Object.fromEntries(flags.all('rename').map((text) => readPair('rename', text))),
    slot: slot && { ...slot, value },
    allowPrivate: flags.has('allow-private'),
  };
}

async function readWantedSource(flags: Flags): Promise<WantedSource> {
  const mcp = flags.text('mcp');
  const openapi = flags.text('openapi');
  const server = flags.text('server') ?? null;
  if ((mcp === undefined) === (openapi === undefined))
    throw new UsageError('Say what to import: --mcp or --openapi, one of them.');
  if (mcp === undefined) {
    const where = openapi as string;
    if (server !== null) readUrl('server', server);
    if (/^https?:\/\//.test(where)) return { kind: 'openapi', url: readUrl('openapi', where), server };
    const text = await readFile(where, 'utf8').catch(() => {
      throw new UsageError(
        `--openapi ${where} cannot be read: name a file, or an address that begins with https://.`,
      );
    });
    return { kind: 'openapi', text, server };
  }
  if (server !== null) throw new UsageError('--server is for --openapi.');
  if (/^https?:\/\//.test(mcp)) return { kind: 'mcp-http', url: readUrl('mcp', mcp) };
  const [command, ...args] = splitWords(mcp);
  if (command === undefined) throw new UsageError('--mcp: name an address or a program.');
  return { kind: 'mcp-stdio', command, args };
}

function readUrl(flag: string, text: string): string {
  if (!URL.canParse(text)) throw new UsageError(`--${flag} ${text} is no address.`);
  const url = new URL(text);
  if (url.username || url.password)
    throw new UsageError(
      `--${flag}: an address must not hold a password; give the credential with --secret.`,
    );
  if (!/^https?:$/.test(url.protocol))
    throw new UsageError(`--${flag} ${text}: write an address that begins with https:// or http://.`);
  url.hash = '';
  return url.href;
}

/** As a shell splits words, with quotes and without anything else: no shell runs what comes out. */
export function splitWords(text: string): string[] {
  const words = text.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single ?? ''),
  );
}

/** The price of the tool, as far as the flags say it; null where they say nothing. */
export function readPrice(flags: Flags): Partial<ImportedPrice> | null {
  const fee = flags.amount('price');
  const cost = flags.amount('provider-cost');
  const free = flags.has('free');
  if (free && (fee !== undefined || cost !== undefined))
    throw new UsageError('--free goes without --price and --provider-cost.');
  if (free) return { feeMicrousd: 0n, providerCostMicrousd: 0n };
  if (fee === undefined && cost === undefined) return null;
  return {
    ...(fee !== undefined && { feeMicrousd: fee }),
    ...(cost !== undefined && { providerCostMicrousd: cost }),
  };
}

export function readSkillPrices(flags: Flags): [string, Microusd][] {
  return flags.all('skill-price').map((text) => {
    const [skill, amount] = readPair('skill-price', text);
    return [skill, readAmount(`skill-price ${skill}=`, amount)];
  });
}

export function readShown(flags: Flags): ImportRequest['shown'] {
  const categories = flags.all('category');
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
    ...(seconds !== undefined && { estimatedSeconds: Number(seconds) }),
  };
}

/** `NAME`, or `NAME:key=value,key=value`; a comma that begins no known key is part of the value. */
function readSlot(flags: Flags): Omit<WantedSlot, 'value'> | null {
  const text = flags.text('secret');
  if (text === undefined) return null;
  const at = text.indexOf(':');
  const slot = at < 0 ? text : text.slice(0, at);
  const how = new Map<string, string>();
  for (const part of at < 0
    ? []
    : text.slice(at + 1).split(/,(?=(?:header|format|env|scheme|title|url|guide)=)/)) {
    const [key, value] = readPair('secret', part);
    how.set(key, value.replace(/^'(.*)'$|^"(.*)"$/, '$1$2'));
  }
  const header = how.get('header');
  const format = how.get('format') ?? '{}';
  const variable = how.get('env');
  if (header !== undefined && variable !== undefined)
    throw new UsageError('--secret: either header= or env=.');
  if (header !== undefined && !(/^[A-Za-z0-9-]{1,64}$/.test(header) && format.includes('{}')))
    throw new UsageError(
      '--secret: header= is the name of a header, and format= must hold {} where the credential goes.',
    );
  if (variable !== undefined && (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(variable) || RESERVED.has(variable)))
    throw new UsageError(
      '--secret: env= is the name of a variable; not one that says how programs run, such as PATH.',
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
    acquireUrl: url === undefined ? null : readUrl('secret url=', url),
    setupGuide: how.get('guide') ?? null,
  };
}

const RESERVED = new Set(['PATH', 'HOME', 'NODE_OPTIONS', 'LD_PRELOAD', 'LD_LIBRARY_PATH']);

function readPair(flag: string, text: string): [string, string] {
  // Names of an upstream may hold the sign, formats of a header too.
  const at = flag === 'secret' ? text.indexOf('=') : text.lastIndexOf('=');
  if (at < 1 || at === text.length - 1) throw new UsageError(`--${flag} ${text}: write it as NAME=VALUE.`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
