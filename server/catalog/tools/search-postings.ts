/** A field's stems, in the order of its words, and how much each counts. */
export interface Field {
  readonly stems: readonly string[];
  readonly boost: number;
}

/** A document with a stem. */
interface Posting {
  readonly document: number;
  /** How much it is about the stem, from 0 to 1; while the index is built, how often it has it, by the weight of its fields. */
  strength: number;
}

/** How soon further occurrences of a word stop to count (k1 of BM25). */
const SATURATION = 6;
/** How much a word counts less in a long field (b of BM25). */
const LENGTH_SHARE = 0.5;

/**
 * An inverted index with the scores of BM25F: fields are weighted before a word's frequency saturates, so that a word in
 * a name and in three descriptions is not counted four times.
 */
export class Postings {
  readonly #postings = new Map<string, Posting[]>();
  readonly #rarity = new Map<string, number>();

  private constructor() {}

  /**
   * Builds one in steps, a document each, so that who serves requests beside it can.
   * @param documents the fields of each, in the same order
   * @param groups of each document what it belongs to; a word is rare that is in few groups
   */
  static *build(
    documents: readonly (readonly Field[])[],
    groups: readonly number[],
  ): Generator<void, Postings> {
    const built = new Postings();
    const averages = (documents[0] ?? []).map((_, at) => {
      const total = documents.reduce((sum, fields) => sum + (fields[at]?.stems.length ?? 0), 0);
      return Math.max(1, total / documents.length);
    });
    for (const [document, fields] of documents.entries()) {
      for (const [at, { stems, boost }] of fields.entries()) {
        const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * stems.length) / (averages[at] ?? 1);
        for (const stem of stems) built.#count(stem, document, boost / length);
      }
      yield;
    }
    const groupCount = new Set(groups).size;
    for (const [stem, postings] of built.#postings) {
      const within = new Set(postings.map(({ document }) => groups[document])).size;
      built.#rarity.set(stem, Math.log(1 + (groupCount - within + 0.5) / (within + 0.5)));
      for (const posting of postings) posting.strength /= posting.strength + SATURATION;
      yield;
    }
    return built;
  }

  /** What a stem tells by itself: 0 where no document has it. */
  rarityOf(stem: string): number {
    return this.#rarity.get(stem) ?? 0;
  }

  /** The documents with a stem. */
  find(stem: string): readonly Readonly<Posting>[] {
    return this.#postings.get(stem) ?? [];
  }

  /** Stems that begin so. */
  beginningWith(prefix: string): string[] {
    return [...this.#postings.keys()].filter((stem) => stem.startsWith(prefix));
  }

  #count(stem: string, document: number, weight: number): void {
    let postings = this.#postings.get(stem);
    if (!postings) {
      postings = [];
      this.#postings.set(stem, postings);
    }
    const last = postings.at(-1);
    // Documents come one after the other.
    if (last?.document === document) last.strength += weight;
    else postings.push({ document, strength: weight });
  }
}
