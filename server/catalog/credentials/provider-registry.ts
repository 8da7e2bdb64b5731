import {
  type AnyProviderName,
  PROVIDER_NAMES,
  PROVIDERS,
  type Provider,
} from '../../platform/settings/providers';
import type { BootedSettings } from '../../platform/settings/settings';

/** A provider as calls use it. */
export interface ProviderEntry {
  readonly slot: AnyProviderName;
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
export class ProviderRegistry {
  readonly #own: readonly ProviderEntry[];
  #byName: ReadonlyMap<string, ProviderEntry>;

  constructor(settings: Pick<BootedSettings, 'providers'>) {
    this.#own = PROVIDER_NAMES.map((slot) => ({
      slot,
      provider: PROVIDERS[slot],
      ...settings.providers[slot],
    }));
    this.#byName = indexBySlot(this.#own);
  }

  /** Finds by a client's input; undefined also for names that every object has (threats D2). */
  find(name: string): ProviderEntry | undefined {
    return this.#byName.get(name);
  }

  /** @throws Error if the provider was removed with its tool */
  get(slot: AnyProviderName): ProviderEntry {
    const entry = this.#byName.get(slot);
    if (!entry) throw new Error(`There is no provider ${slot}`);
    return entry;
  }

  /** In listing order. */
  all(): ProviderEntry[] {
    return [...this.#byName.values()];
  }

  /**
   * Replaces the providers of imported tools. Built-in providers win over imported ones of the same
   * name.
   */
  replaceImported(imported: readonly ProviderEntry[]): void {
    this.#byName = indexBySlot([...this.#own, ...imported]);
  }
}

function indexBySlot(entries: readonly ProviderEntry[]): Map<string, ProviderEntry> {
  const byName = new Map<string, ProviderEntry>();
  for (const entry of entries) if (!byName.has(entry.slot)) byName.set(entry.slot, entry);
  return byName;
}
