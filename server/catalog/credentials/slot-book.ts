import { type AnySlot, PROVIDERS, type Provider, SLOTS } from '../../platform/settings/providers';
import type { BootedSettings } from '../../platform/settings/settings';

/** A provider as calls use it. */
export interface SlotEntry {
  readonly slot: AnySlot;
  readonly provider: Provider;
  /** Scheme and host, and a path prefix if the operator set one. */
  readonly baseUrl: string;
  /** The platform's key; null if it has none. */
  readonly apiKey: string | null;
}

/**
 * The providers of this process: the built-in ones, which never change, and those of imported
 * tools.
 */
export class SlotBook {
  readonly #own: readonly SlotEntry[];
  #byName: ReadonlyMap<string, SlotEntry>;

  constructor(settings: Pick<BootedSettings, 'providers'>) {
    this.#own = SLOTS.map((slot) => ({ slot, provider: PROVIDERS[slot], ...settings.providers[slot] }));
    this.#byName = mapOf(this.#own);
  }

  /** Finds by a client's input; undefined also for names that every object has (threats D2). */
  find(name: string): SlotEntry | undefined {
    return this.#byName.get(name);
  }

  /** @throws Error if the provider was removed with its tool */
  get(slot: AnySlot): SlotEntry {
    const entry = this.#byName.get(slot);
    if (!entry) throw new Error(`There is no provider ${slot}`);
    return entry;
  }

  /** In listing order. */
  all(): SlotEntry[] {
    return [...this.#byName.values()];
  }

  /**
   * Replaces the providers of imported tools. Built-in providers win over imported ones of the same
   * name.
   */
  replaceImported(imported: readonly SlotEntry[]): void {
    this.#byName = mapOf([...this.#own, ...imported]);
  }
}

function mapOf(entries: readonly SlotEntry[]): Map<string, SlotEntry> {
  const byName = new Map<string, SlotEntry>();
  for (const entry of entries) if (!byName.has(entry.slot)) byName.set(entry.slot, entry);
  return byName;
}
