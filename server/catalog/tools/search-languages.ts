import { foldText } from './search-fold';
import data from './search-languages.json';

/** German, French and Spanish words of a query that mean nothing for the search. */
export const FOREIGN_STOP_WORDS: readonly string[] = Object.values(data.stop_words).flatMap((list) =>
  foldText(list).split(' '),
);

const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u;
const HIRAGANA = /^\p{Script=Hiragana}+$/u;
/** Letters that an entry needs to be a part of a compound, and letters that may link two parts. */
const MIN_PART_CHARS = 4;
const MAX_LINK_CHARS = 2;
const MAX_ENDING_CHARS = 3;

/** The English words of each known word, and of each beginning of words. */
const exact = new Map<string, string[]>();
const beginnings = new Map<string, string[]>();
for (const [english, lists] of Object.entries(data.words))
  for (const entry of Object.values(lists).flatMap((list) => foldText(list).split(' ')))
    addEntry(entry.endsWith('*') ? beginnings : exact, entry.replace('*', ''), english);
const longest = Math.max(...[...exact.keys(), ...beginnings.keys()].map((entry) => entry.length));

function addEntry(entries: Map<string, string[]>, entry: string, english: string): void {
  entries.set(entry, [...new Set([...(entries.get(entry) ?? []), english])]);
}

/** A word of a query in any language, with the English words it may mean. */
export interface TranslatedWord {
  readonly word: string;
  readonly meanings: readonly string[];
}

/**
 * Translates a word of German, French, Spanish or Japanese; one word may have several parts.
 * @param isEnglish whether a word is known: it is no beginning of a word in another language then
 */
export function translateWord(word: string, isEnglish: (word: string) => boolean): TranslatedWord[] {
  if (CJK.test(word)) return segmentJapanese(word);
  const meanings = exact.get(word) ?? [];
  if (meanings.length > 0 || isEnglish(word)) return [{ word, meanings }];
  const started = findBeginning(word);
  if (started && word.length - started.length <= MAX_ENDING_CHARS + 2)
    return [{ word, meanings: beginnings.get(started) ?? [] }];
  return splitCompound(word) ?? [{ word, meanings: beginnings.get(started ?? '') ?? [] }];
}

function findBeginning(word: string): string | undefined {
  for (let length = Math.min(longest, word.length); length >= 3; length--)
    if (beginnings.has(word.slice(0, length))) return word.slice(0, length);
  return undefined;
}

/** Splits a German compound into known parts: `balken` and `diagramm`. */
function splitCompound(word: string): TranslatedWord[] | undefined {
  const parts: TranslatedWord[] = [];
  let at = 0;
  while (word.length - at > MAX_ENDING_CHARS || parts.length === 0) {
    const part = findPart(word, at);
    if (!part) return undefined;
    parts.push({ word: part.entry, meanings: part.meanings });
    at = part.end;
  }
  return parts.length > 1 ? parts : undefined;
}

function findPart(word: string, from: number) {
  for (let start = from; start <= (from === 0 ? 0 : from + MAX_LINK_CHARS); start++)
    for (let end = word.length; end - start >= MIN_PART_CHARS; end--) {
      const entry = word.slice(start, end);
      const meanings = exact.get(entry) ?? beginnings.get(entry);
      if (meanings) return { entry, meanings, end };
    }
  return undefined;
}

/** Finds the known words of a Japanese text, longest first; other letters are one unknown word. */
function segmentJapanese(text: string): TranslatedWord[] {
  const words: TranslatedWord[] = [];
  let unknown = '';
  const flush = () => {
    // Hiragana between words are particles and endings.
    if (unknown !== '' && !HIRAGANA.test(unknown)) words.push({ word: unknown, meanings: [] });
    unknown = '';
  };
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + longest);
    while (end > at && !exact.has(text.slice(at, end))) end--;
    if (end === at) {
      unknown += text[at++];
      continue;
    }
    flush();
    const word = text.slice(at, end);
    words.push({ word, meanings: exact.get(word) ?? [] });
    at = end;
  }
  flush();
  return words;
}
