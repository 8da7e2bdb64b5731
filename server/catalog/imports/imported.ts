import { z } from 'zod';
import type { ImportedProviderName, Provider } from '../../platform/settings/providers';
import type { Definition, Source } from './definition';
import type { ImportedPrice } from './imported-price';

/** A tool's presentation, chosen by the operator. */
export interface Presentation {
  displayName: string;
  subtitle: string;
  description: string;
  categories: string[];
  /** Patterns with `*` that select the upstream's tools. Empty: all. */
  include: string[];
  exclude: string[];
  /**
   * Patterns of upstream names that only read, although the source does not say so: a model's
   * completion, for instance. Absent in tools of earlier releases.
   */
  readOnly?: string[] | undefined;
  /** The skills' names, by the upstream's names. A name never changes. */
  names: Record<string, string>;
  /** Seconds of a typical call; from 30 on, calls are queued. */
  estimatedSeconds: number;
}

/** How a credential of an imported tool is sent. */
export type Carrier =
  /**
   * In a header; `{}` in the format is the value, `{base64}` user name and password of HTTP Basic.
   * A requirement: callers may bring their own key.
   */
  | { kind: 'header'; header: string; format: string }
  /**
   * In an environment variable of the program. All callers share the program, so only the platform
   * has a value.
   */
  | { kind: 'env'; variable: string };

export const carrierSchema: z.ZodType<Carrier> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('header'), header: z.string(), format: z.string() }),
  z.object({ kind: z.literal('env'), variable: z.string() }),
]);

/** A credential of an imported tool. */
export interface ToolCredential {
  slot: string;
  tool: string;
  carrier: Carrier;
  displayName: string;
  description: string;
  acquireUrl: string;
  setupGuide: string;
  /** The platform's value, sealed. */
  sealed: string | null;
  vaultKeyId: string | null;
  version: number;
}

/** A stored imported tool, with its prices and credentials. */
export interface ImportedTool {
  name: string;
  source: Source;
  presentation: Presentation;
  version: string;
  definition: Definition;
  definitionHash: string;
  pendingDefinition: Definition | null;
  changedAt: Date | null;
  problem: string | null;
  disabledAt: Date | null;
  connection: unknown;
  allowPrivate: boolean;
  price: ImportedPrice;
  skillPrices: Record<string, ImportedPrice>;
  slots: ToolCredential[];
  revision: number;
  checkedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const KEY_PATTERN = /^[\x21-\x7e]{8,512}$/;

/** Returns the origin that a tool's calls go to; null for a program. Pure. */
export function getOrigin(source: Source): string | null {
  if (source.kind === 'mcp-stdio') return null;
  return new URL(source.kind === 'openapi' ? source.server : source.url).origin;
}

/** Returns the credential that callers may bring; null if there is none. Pure. */
export function findCallerCredential(
  tool: Pick<ImportedTool, 'slots'>,
): (ToolCredential & { slot: ImportedProviderName }) | null {
  const found = tool.slots.find(({ carrier }) => carrier.kind === 'header');
  return found ? { ...found, slot: found.slot as ImportedProviderName } : null;
}

/** Returns the headers that carry a credential. Pure. */
export function buildAuthHeaders(carrier: Carrier & { kind: 'header' }, key: string): Record<string, string> {
  // A user name without a password still has the colon (RFC 7617).
  const basic = Buffer.from(key.includes(':') ? key : `${key}:`).toString('base64');
  return { [carrier.header]: carrier.format.replace('{base64}', basic).replace('{}', () => key) };
}

/** Converts a credential that callers may bring to a provider. Pure. */
export function toProvider(slot: ToolCredential, origin: string): Provider {
  const { carrier, displayName, description, acquireUrl, setupGuide } = slot;
  return {
    displayName,
    description,
    acquireUrl,
    setupGuide,
    baseUrl: origin,
    keyPattern: KEY_PATTERN,
    authorize: (key) => (carrier.kind === 'header' ? buildAuthHeaders(carrier, key) : {}),
  };
}

/**
 * Binds the platform's value to its tool, name and version: moved elsewhere, it cannot be
 * decrypted. Pure.
 */
export function getCredentialContext({
  tool,
  slot,
  version,
}: Pick<ToolCredential, 'tool' | 'slot' | 'version'>): string {
  return `imported-slot:${tool}:${slot}:${version}`;
}

/** Returns why the tool cannot be called now, for callers; null if it can. Pure. */
export function findImportedUnavailableReason(tool: ImportedTool): string | null {
  if (tool.disabledAt) return 'The operator has switched it off.';
  if (tool.changedAt)
    return 'It has changed at its source since it was approved, and is unavailable until the operator approves the change.';
  if (tool.problem) return tool.problem;
  const empty = tool.slots.find(({ carrier, sealed }) => carrier.kind === 'env' && sealed === null);
  return empty ? 'The operator has not set its credential yet.' : null;
}
