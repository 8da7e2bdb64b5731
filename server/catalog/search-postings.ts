import { stemOf, wordsOf } from './search-terms';

/** A field's text, and how much a word in it counts. */
export interface Field {
  readonly text: string;
  readonly boost: number;
}

/** How often a stem is in a document, by the weight of the fields it is in. */
interface Posting {
  readonly document: number;
  frequency: number;
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

  /**
   * @param documents the fields of each, in the same order
   * @param groups of each document what it belongs to; a word is rare that is in few groups
   */
  constructor(documents: readonly (readonly Field[])[], groups: readonly number[]) {
    const stems = new Map<string, string>();
    const stemOnce = (word: string) => {
      const stem = stems.get(word) ?? stemOf(word);
      stems.set(word, stem);
      return stem;
    };
    const words = documents.map((fields) => fields.map(({ text }) => wordsOf(text).map(stemOnce)));
    const averages = (documents[0] ?? []).map((_, at) => {
      const total = words.reduce((sum, fields) => sum + (fields[at]?.length ?? 0), 0);
      return Math.max(1, total / documents.length);
    });
    words.forEach((fields, document) => {
      fields.forEach((stems, at) => {
        const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * stems.length) / (averages[at] ?? 1);
        const weight = (documents[document]?.[at]?.boost ?? 0) / length;
        for (const stem of stems) this.#count(stem, document, weight);
      });
    });
    const groupCount = new Set(groups).size;
    for (const [stem, postings] of this.#postings) {
      const within = new Set(postings.map(({ document }) => groups[document])).size;
      this.#rarity.set(stem, Math.log(1 + (groupCount - within + 0.5) / (within + 0.5)));
    }
  }

  /** What a stem tells by itself: 0 where no document has it. */
  rarityOf(stem: string): number {
    return this.#rarity.get(stem) ?? 0;
  }

  /** Documents with a stem, each with how much it is about it, from 0 to 1. */
  *find(stem: string): Generator<{ document: number; strength: number }> {
    for (const { document, frequency } of this.#postings.get(stem) ?? [])
      yield { document, strength: frequency / (frequency + SATURATION) };
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
    if (last?.document === document) last.frequency += weight;
    else postings.push({ document, frequency: weight });
  }
}
