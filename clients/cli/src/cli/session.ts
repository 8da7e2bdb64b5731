import { parseBaseUrl } from '../base-url.js';
import { createClient, type Deprecation, type GatewayClient } from '../client.js';
import { createError } from '../errors.js';
import { KeyFile, type StoredKey } from './key-file.js';
import { Output } from './output.js';
import type { Terminal } from './terminal.js';
import { usageError } from './usage-error.js';
import { VERSION } from './version.js';

/** Characters that a header can carry. */
const KEY = /^[\x21-\x7e]{8,512}$/;

export interface GlobalOptions {
  baseUrl: string | undefined;
  json: boolean;
  /** Path of the only value of the response to print. */
  get: string | undefined;
  quiet: boolean;
  retry: boolean;
}

/** The key in use and its source. */
export interface KeyInUse {
  key: string;
  from: 'TOOL_GATEWAY_KEY' | 'key file';
  claimUrl?: string | undefined;
}

/** One run of the CLI: its gateway, API key and output. */
export class Session {
  readonly terminal: Terminal;
  readonly output: Output;
  readonly keyFile: KeyFile;
  readonly #options: GlobalOptions;
  #hasNotedDeprecation = false;

  constructor(terminal: Terminal, options: GlobalOptions) {
    this.terminal = terminal;
    this.#options = options;
    this.output = new Output(terminal, options);
    this.keyFile = new KeyFile(terminal, (message) => this.output.note(message));
  }

  get signal(): AbortSignal {
    return this.terminal.signal;
  }

  /** The base URL of the gateway. @throws GatewayError USAGE when none is configured */
  async baseUrl(): Promise<string> {
    const named = await this.findBaseUrl();
    if (named !== undefined) return named;
    throw usageError(
      'No gateway is set.',
      'Set it with --base-url or TOOL_GATEWAY_URL, or run tool-gateway login.',
    );
  }

  /** The gateway from flag, environment or key file. @throws GatewayError USAGE when invalid */
  async findBaseUrl(): Promise<string | undefined> {
    const flag = this.#options.baseUrl;
    const said = flag ?? (this.terminal.env.TOOL_GATEWAY_URL || undefined);
    if (said === undefined) return (await this.keyFile.read()).base_url;
    return this.requireValidBaseUrl(said, flag === undefined ? 'TOOL_GATEWAY_URL' : '--base-url');
  }

  /** Normalizes a base URL. @throws GatewayError USAGE that names its source `where` */
  requireValidBaseUrl(text: string, where: string): string {
    try {
      return parseBaseUrl(text);
    } catch {
      throw usageError(
        `${where} is not a valid gateway URL: ${JSON.stringify(text)}.`,
        'Use a URL such as https://gateway.example.com.',
      );
    }
  }

  /** The key for this gateway, from the environment or else the key file. */
  async findKey(): Promise<KeyInUse | undefined> {
    const fromEnv = this.terminal.env.TOOL_GATEWAY_KEY?.trim();
    if (fromEnv) return { key: requireValidKey(fromEnv, 'TOOL_GATEWAY_KEY'), from: 'TOOL_GATEWAY_KEY' };
    const stored = (await this.keyFile.read()).keys[await this.baseUrl()];
    return stored && toKeyInUse(stored);
  }

  /** A client with the key if there is one; finding tools needs none. */
  async client(): Promise<GatewayClient> {
    return this.createClientFor(await this.baseUrl(), (await this.findKey())?.key);
  }

  /** A client with a key. @throws GatewayError AUTH_REQUIRED when there is none */
  async keyedClient(): Promise<GatewayClient> {
    const found = await this.findKey();
    if (found) return this.createClientFor(await this.baseUrl(), found.key);
    throw createError({
      code: 'AUTH_REQUIRED',
      message: `There is no API key for ${await this.baseUrl()}.`,
      type: 'auth',
      hint: 'Create one without signing up with tool-gateway provision, or save yours with tool-gateway login.',
    });
  }

  /** A client with a key; provisions one if there is none, unless the user disabled that. */
  async provisionedClient({ provision }: { provision: boolean }): Promise<GatewayClient> {
    if (!provision || this.terminal.env.TOOL_GATEWAY_NO_PROVISION || (await this.findKey()))
      return await this.keyedClient();
    const { stored, made } = await this.provision();
    if (made)
      this.output.note(
        `Created a key for ${await this.baseUrl()}, saved in ${this.keyFile.path}. Free tools work at once; to use paid tools, claim it: ${stored.claim_url}`,
        { claim_url: stored.claim_url },
      );
    return this.createClientFor(await this.baseUrl(), stored.api_key);
  }

  /**
   * Provisions and saves a key. Of several concurrent runs, one creates it and the others use it.
   * @param replacedKey a saved key that no longer works and is replaced
   */
  async provision(replacedKey?: string): Promise<{ stored: StoredKey; made: boolean }> {
    const baseUrl = await this.baseUrl();
    let made = false;
    const { keys } = await this.keyFile.change(async (before) => {
      const there = before.keys[baseUrl];
      if (there && there.api_key !== replacedKey) return before;
      const { api_key, claim_url } = await this.createClientFor(baseUrl).provision();
      made = true;
      const stored = { api_key, claim_url, saved_at: new Date().toISOString() };
      return { base_url: before.base_url ?? baseUrl, keys: { ...before.keys, [baseUrl]: stored } };
    });
    const stored = keys[baseUrl];
    if (stored === undefined) throw new Error('The key that was just saved is missing.');
    return { stored: stored, made };
  }

  /** Prints a deprecation once per run. */
  #noteDeprecation({ stops, link }: Deprecation): void {
    if (this.#hasNotedDeprecation) return;
    this.#hasNotedDeprecation = true;
    const [address] = extractUrls(link);
    const when = stops === undefined ? '' : ` and stops on ${stops.toISOString().slice(0, 10)}`;
    this.output.note(
      `This request is deprecated${when}.${address === undefined ? '' : ` What to do: ${address}`}`,
      {
        deprecated: true,
        stops: stops?.toISOString(),
        link,
      },
    );
  }

  createClientFor(baseUrl: string, apiKey?: string): GatewayClient {
    return createClient({
      baseUrl,
      apiKey,
      userAgent: `tool-gateway-cli/${VERSION}`,
      retry: this.#options.retry,
      signal: this.signal,
      onDeprecated: (notice) => this.#noteDeprecation(notice),
      onRetry: ({ status, seconds }) =>
        this.output.progress(
          `${status === 0 ? 'No response' : `The gateway responded with ${status}`}: retrying in ${seconds} s.`,
        ),
    });
  }
}

/** Extracts the URLs of a Link header (RFC 8288). */
function extractUrls(link: string | undefined): string[] {
  return [...(link ?? '').matchAll(/<(https?:[^<>]+)>/g)].map(([, address = '']) => address);
}

/** Checks the form of a key. @throws GatewayError USAGE that names `where`, never the key */
export function requireValidKey(key: string, where: string): string {
  if (KEY.test(key)) return key;
  throw usageError(`${where} contains no valid API key.`, 'A key looks like tg_live_… and has no spaces.');
}

/** Masks a key for display: the first 12 and last 4 characters. */
export function maskKey(key: string): string {
  return key.length > 24 ? `${key.slice(0, 12)}…${key.slice(-4)}` : '…';
}

function toKeyInUse({ api_key, claim_url }: StoredKey): KeyInUse {
  return { key: requireValidKey(api_key, 'The key file'), from: 'key file', claimUrl: claim_url };
}
