/** A field's stems in word order, and its weight. */
export interface Field {
  readonly stems: readonly string[];
  readonly boost: number;
}

/** A document that contains a stem. */
interface Posting {
  readonly document: number;
  /**
   * The document's score for the stem, from 0 to 1. During the build: the weighted number of
   * occurrences.
   */
  strength: number;
}

/** How quickly further occurrences of a word stop adding to the score (k1 of BM25). */
const SATURATION = 6;
/** How much the length of a field reduces a word's score (b of BM25). */
const LENGTH_SHARE = 0.5;

/**
 * An inverted index with BM25F scores: fields are weighted before the frequency saturates, so that
 * a word in a name and in three descriptions does not count four times.
 */
export class Postings {
  readonly #postings = new Map<string, Posting[]>();
  readonly #rarity = new Map<string, number>();

  private constructor() {}

  /**
   * Builds an index in steps of one document, so that the caller can yield in between.
   * @param documents the fields of each document, always in the same order
   * @param groups the group of each document; a word is rare if it is in few groups
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

  /** Returns the rarity (IDF) of a stem; 0 if no document has it. */
  getRarity(stem: string): number {
    return this.#rarity.get(stem) ?? 0;
  }

  /** Returns the documents with a stem. */
  find(stem: string): readonly Readonly<Posting>[] {
    return this.#postings.get(stem) ?? [];
  }

  /** Returns the stems that start with a prefix. */
  findByPrefix(prefix: string): string[] {
    return [...this.#postings.keys()].filter((stem) => stem.startsWith(prefix));
  }

  #count(stem: string, document: number, weight: number): void {
    let postings = this.#postings.get(stem);
    if (!postings) {
      postings = [];
      this.#postings.set(stem, postings);
    }
    const last = postings.at(-1);
    // Documents are added in order, so only the last posting can be the same document.
    if (last?.document === document) last.strength += weight;
    else postings.push({ document, strength: weight });
  }
}
