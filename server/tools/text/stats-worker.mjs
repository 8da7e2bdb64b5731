// Intl.Segmenter in Node 20 takes quadratic time: 10 s for 200,000 characters, but 1 s in parts of
// a thousand. Parts end where no word, sentence or character is cut, unless there is no such place.
const WORD_PART_CHARS = 1_000;
const SENTENCE_PART_CHARS = 2_000;
const WORD_BREAK = /[\s。、！？，](?=[\p{L}\p{N}])/u;
const SENTENCE_BREAK = /(?:[.!?。！？…]["'”’)\]]?\s{1,8}|[。！？]|\n)(?=[\p{L}\p{N}])/u;
const MAX_STEPS_TO_CHARACTER_END = 32;

/**
 * Counts words, characters, sentences and lines of a text.
 * @param {{ text: string, locale: string, top_words: number, words_per_minute: number }} payload
 */
export function stats({ text, locale, top_words: top, words_per_minute: pace }) {
  /** @type {Map<string, number>} */
  const frequency = new Map();
  let words = 0;
  let lettersInWords = 0;
  let graphemes = 0;
  let sentences = 0;
  const segmenters = {
    word: new Intl.Segmenter(locale, { granularity: 'word' }),
    grapheme: new Intl.Segmenter(locale, { granularity: 'grapheme' }),
    sentence: new Intl.Segmenter(locale, { granularity: 'sentence' }),
  };
  for (const part of splitText(text, WORD_PART_CHARS, WORD_BREAK)) {
    graphemes += countGraphemes(part, segmenters.grapheme);
    for (const { segment, isWordLike } of segmenters.word.segment(part)) {
      if (!isWordLike) continue;
      words += 1;
      lettersInWords += [...segment].length;
      const word = segment.toLocaleLowerCase(locale);
      frequency.set(word, (frequency.get(word) ?? 0) + 1);
    }
  }
  for (const part of splitText(text, SENTENCE_PART_CHARS, SENTENCE_BREAK)) {
    for (const { segment } of segmenters.sentence.segment(part)) {
      if (/[\p{L}\p{N}]/u.test(segment)) sentences += 1;
    }
  }
  const ranked = [...frequency].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, top);
  const characters = [...text].length;
  return {
    characters,
    characters_without_spaces: characters - (text.match(/\s/gu)?.length ?? 0),
    graphemes,
    bytes: Buffer.byteLength(text),
    words,
    unique_words: frequency.size,
    sentences,
    lines: text === '' ? 0 : text.split(/\r\n|\r|\n/).length,
    paragraphs: text.split(/\n\s*\n|\r\n\s*\r\n/).filter((paragraph) => /\S/.test(paragraph)).length,
    average_word_length: words === 0 ? null : lettersInWords / words,
    reading_time_seconds: Math.round((words / pace) * 60),
    top_words: ranked.map(([word, count]) => ({ word, count })),
  };
}

/** @param {string} part @param {Intl.Segmenter} segmenter */
function countGraphemes(part, segmenter) {
  // In ASCII, the only grapheme of two code units is the Windows line end.
  if (/^[\0-\x7f]*$/.test(part)) return part.length - part.split('\r\n').length + 1;
  let count = 0;
  for (const _ of segmenter.segment(part)) count += 1;
  return count;
}

/**
 * Splits a text after breaks, into parts of at least the given length and less than twice it.
 * @param {string} text
 * @param {number} least in UTF-16 code units
 * @param {RegExp} breakAt
 */
function* splitText(text, least, breakAt) {
  let start = 0;
  while (start < text.length) {
    const window = text.slice(start + least, start + 2 * least);
    const found = breakAt.exec(window);
    const end = found ? start + least + found.index + found[0].length : characterEnd(text, start + 2 * least);
    yield text.slice(start, end);
    start = end;
  }
}

/**
 * Moves a position past surrogate halves, marks and joiners of the character before it.
 * @param {string} text
 * @param {number} at
 */
function characterEnd(text, at) {
  let end = at;
  while (
    end < text.length &&
    end - at < MAX_STEPS_TO_CHARACTER_END &&
    /^[\udc00-\udfff\p{M}\u200d]/u.test(text.slice(end, end + 2))
  )
    end += 1;
  return end;
}
