import { createTwoFilesPatch, diffChars, diffLines, diffWordsWithSpace } from 'diff';

/** @typedef {{ kind: 'equal' | 'insert' | 'delete', text: string }} Change */
/**
 * @typedef {{ ok: true, unified: string, changes: Change[], stats: { inserted: number, deleted:
 *   number, unchanged: number, similarity: number, identical: boolean } }} Compared
 */

/**
 * Compares two texts.
 * @param {{ old_text: string, new_text: string, granularity: 'line' | 'word' | 'character',
 *   context_lines: number, ignore_case: boolean, limitMs: number }} payload
 *   limitMs applies to each of the two comparisons
 * @returns {Compared | { ok: false, message: string }}
 */
export function compare({
  old_text: before,
  new_text: after,
  granularity,
  context_lines: context,
  ignore_case: ignoreCase,
  limitMs,
}) {
  const options = { timeout: limitMs, ignoreCase };
  const parts = diffTexts(before, after, granularity, options);
  const unified = createTwoFilesPatch('old', 'new', before, after, '', '', { context, ...options });
  if (!parts || unified === undefined) {
    const hint =
      granularity === 'line' ? 'Compare smaller parts.' : 'Use granularity line, or compare smaller parts.';
    return {
      ok: false,
      message: `old_text, new_text: the texts differ too much to compare them by ${granularity} in ${limitMs / 1000} s. ${hint}`,
    };
  }
  const count = (/** @type {Change['kind']} */ kind) =>
    parts.reduce((sum, part) => sum + (getKind(part) === kind ? part.count : 0), 0);
  const [inserted, deleted, unchanged] = [count('insert'), count('delete'), count('equal')];
  const units = inserted + deleted + 2 * unchanged;
  return {
    ok: true,
    unified: inserted + deleted === 0 ? '' : unified,
    changes: parts.map((part) => ({ kind: getKind(part), text: part.value })),
    stats: {
      inserted,
      deleted,
      unchanged,
      similarity: units === 0 ? 1 : (2 * unchanged) / units,
      identical: inserted + deleted === 0,
    },
  };
}

/**
 * @param {string} before
 * @param {string} after
 * @param {'line' | 'word' | 'character'} granularity
 * @param {{ timeout: number, ignoreCase: boolean }} options
 * @returns {import('diff').ChangeObject<string>[] | undefined} undefined on timeout
 */
function diffTexts(before, after, granularity, options) {
  if (granularity === 'line') return diffLines(before, after, options);
  return granularity === 'word'
    ? diffWordsWithSpace(before, after, options)
    : diffChars(before, after, options);
}

/** @param {import('diff').ChangeObject<string>} part @returns {Change['kind']} */
function getKind(part) {
  if (part.added) return 'insert';
  return part.removed ? 'delete' : 'equal';
}
