/** A field's stems in word order, its weight, and the usual number of words of such a field. */
export interface Field {
  readonly stems: readonly string[];
  readonly boost: number;
  readonly usualLength: number;
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
const SATURATION = 2;
/** How much the length of a field reduces a word's score (b of BM25). */
const LENGTH_SHARE = 0.5;

/**
 * An inverted index with BM25F scores: fields are weighted before the frequency saturates, so that
 * a word in a name and in three descriptions does not count four times.
 */
export class Postings {
  readonly #postings = new Map<string, Posting[]>();
  readonly #rarity = new Map<string, number>();
  /** The rarity of a stem that no document has. */
  readonly maxRarity: number;

  private constructor(groups: number) {
    this.maxRarity = rarityOf(0, groups);
  }

  /**
   * Builds an index in steps of one document, so that the caller can yield in between.
   * @param documents the fields of each document, always in the same order
   * @param groups the group of each document; a word is rare if it is in few groups
   */
  static *build(
    documents: readonly (readonly Field[])[],
    groups: readonly number[],
  ): Generator<void, Postings> {
    const groupCount = new Set(groups).size;
    const built = new Postings(groupCount);
    for (const [document, fields] of documents.entries()) {
      for (const { stems, boost, usualLength } of fields) {
        const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * stems.length) / usualLength;
        for (const stem of stems) built.#count(stem, document, boost / length);
      }
      yield;
    }
    for (const [stem, postings] of built.#postings) {
      const within = new Set(postings.map(({ document }) => groups[document])).size;
      built.#rarity.set(stem, rarityOf(within, groupCount));
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

/** Inverse document frequency, as in BM25. */
function rarityOf(groupsWithStem: number, groups: number): number {
  return Math.log(1 + (groups - groupsWithStem + 0.5) / (groupsWithStem + 0.5));
}
