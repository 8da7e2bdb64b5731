import { z } from 'zod';
import type { ImportedSlot, Provider } from '../../platform/settings/providers';
import type { Definition, Source } from './definition';
import type { ImportedPrice } from './price-of';

/** How the operator shows a tool. */
export interface Presentation {
  displayName: string;
  subtitle: string;
  description: string;
  categories: string[];
  /** Which of the upstream's are skills: patterns with `*`. Empty: all. */
  include: string[];
  exclude: string[];
  /** The name of each skill, by the upstream's: once given it stays. */
  names: Record<string, string>;
  /** A typical call, in seconds; from 30 on, calls are queued. */
  estimatedSeconds: number;
}

/** Where a credential of an imported tool goes. */
export type Carrier =
  /** Into this header, `{}` in the format standing for it. A requirement slot: callers may bring their own. */
  | { kind: 'header'; header: string; format: string }
  /** Into this variable of a program's environment. All callers share the program, so it is the platform's alone. */
  | { kind: 'env'; variable: string };

export const carrierSchema: z.ZodType<Carrier> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('header'), header: z.string(), format: z.string() }),
  z.object({ kind: z.literal('env'), variable: z.string() }),
]);

/** A credential of an imported tool. */
export interface ToolSlot {
  slot: string;
  tool: string;
  carrier: Carrier;
  displayName: string;
  description: string;
  acquireUrl: string;
  setupGuide: string;
  /** The platform's own, sealed. */
  sealed: string | null;
  vaultKeyId: string | null;
  version: number;
}

/** An imported tool as it is stored, with what belongs to it. */
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
  slots: ToolSlot[];
  revision: number;
  checkedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const KEY_PATTERN = /^[\x21-\x7e]{8,512}$/;

/** Where a tool's calls go; null for a program. Pure. */
export function originOf(source: Source): string | null {
  if (source.kind === 'mcp-stdio') return null;
  return new URL(source.kind === 'openapi' ? source.server : source.url).origin;
}

/** The slot that callers of the tool may fill; null where there is none. Pure. */
export function callerSlotOf(tool: Pick<ImportedTool, 'slots'>): (ToolSlot & { slot: ImportedSlot }) | null {
  const found = tool.slots.find(({ carrier }) => carrier.kind === 'header');
  return found ? { ...found, slot: found.slot as ImportedSlot } : null;
}

/** The headers that carry a credential. Pure. */
export function authorizeWith(carrier: Carrier & { kind: 'header' }, key: string): Record<string, string> {
  return { [carrier.header]: carrier.format.replace('{}', () => key) };
}

/** A caller's slot as the provider it is. Pure. */
export function providerOf(slot: ToolSlot, origin: string): Provider {
  const { carrier, displayName, description, acquireUrl, setupGuide } = slot;
  return {
    displayName,
    description,
    acquireUrl,
    setupGuide,
    baseUrl: origin,
    keyPattern: KEY_PATTERN,
    authorize: (key) => (carrier.kind === 'header' ? authorizeWith(carrier, key) : {}),
  };
}

/** What the platform's own value of a slot is bound to: moved elsewhere it does not open. Pure. */
export function slotContext({ tool, slot, version }: Pick<ToolSlot, 'tool' | 'slot' | 'version'>): string {
  return `imported-slot:${tool}:${slot}:${version}`;
}

/** Why the tool cannot be called now, in words for a caller; null where it can. Pure. */
export function whyUnavailable(tool: ImportedTool): string | null {
  if (tool.disabledAt) return 'The operator has switched it off.';
  if (tool.changedAt)
    return 'It has changed at its source since it was approved; it comes back when the operator has looked at it.';
  if (tool.problem) return tool.problem;
  const empty = tool.slots.find(({ carrier, sealed }) => carrier.kind === 'env' && sealed === null);
  return empty ? 'The operator has not set its credential yet.' : null;
}
