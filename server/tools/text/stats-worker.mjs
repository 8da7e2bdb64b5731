const CHARS_PER_SEGMENT_RUN = 20_000;

/**
 * Counts what a text is made of.
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
  for (const part of partsOf(text)) {
    for (const { segment, isWordLike } of segmenters.word.segment(part)) {
      if (!isWordLike) continue;
      words += 1;
      lettersInWords += [...segment].length;
      const word = segment.toLocaleLowerCase(locale);
      frequency.set(word, (frequency.get(word) ?? 0) + 1);
    }
    for (const _ of segmenters.grapheme.segment(part)) graphemes += 1;
    for (const { segment } of segmenters.sentence.segment(part))
      sentences += /[\p{L}\p{N}]/u.test(segment) ? 1 : 0;
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

/**
 * Cuts at line ends: the segmenter gets slow on one very long string, and neither words nor sentences need more.
 * @param {string} text
 */
function* partsOf(text) {
  let start = 0;
  while (start < text.length) {
    const wanted = start + CHARS_PER_SEGMENT_RUN;
    const lineEnd = wanted >= text.length ? text.length : text.indexOf('\n', wanted) + 1;
    const end = lineEnd === 0 ? text.length : lineEnd;
    yield text.slice(start, end);
    start = end;
  }
}
