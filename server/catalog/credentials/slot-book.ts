import { type AnySlot, PROVIDERS, type Provider, SLOTS } from '../../platform/settings/providers';
import type { BootedSettings } from '../../platform/settings/settings';

/** A slot as calls use it. */
export interface SlotEntry {
  readonly slot: AnySlot;
  readonly provider: Provider;
  /** Scheme, host and, where the operator has one, a path before the API's own. */
  readonly baseUrl: string;
  /** The platform's own key, where it has one. */
  readonly apiKey: string | null;
}

/** Every slot of this process: ours, which never change, and after them those of imported tools, which do. */
export class SlotBook {
  readonly #own: readonly SlotEntry[];
  #byName: ReadonlyMap<string, SlotEntry>;

  constructor(settings: Pick<BootedSettings, 'providers'>) {
    this.#own = SLOTS.map((slot) => ({ slot, provider: PROVIDERS[slot], ...settings.providers[slot] }));
    this.#byName = mapOf(this.#own);
  }

  /** By a name from outside; undefined also for the names every object has (threats D2). */
  find(name: string): SlotEntry | undefined {
    return this.#byName.get(name);
  }

  /** @throws where the slot has gone with its tool */
  get(slot: AnySlot): SlotEntry {
    const entry = this.#byName.get(slot);
    if (!entry) throw new Error(`No provider is called ${slot}`);
    return entry;
  }

  /** In the order in which they are listed. */
  all(): SlotEntry[] {
    return [...this.#byName.values()];
  }

  /** The slots of imported tools, instead of those there were. Ours go before one of the same name. */
  replaceImported(imported: readonly SlotEntry[]): void {
    this.#byName = mapOf([...this.#own, ...imported]);
  }
}

function mapOf(entries: readonly SlotEntry[]): Map<string, SlotEntry> {
  const byName = new Map<string, SlotEntry>();
  for (const entry of entries) if (!byName.has(entry.slot)) byName.set(entry.slot, entry);
  return byName;
}
