// Finds the direction of scripts, which Word wants to know of paragraphs and runs of text.

/** Hebrew, Arabic and the other scripts that are written from right to left. */
const RTL = '[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1eeff}]';
const FIRST_STRONG = new RegExp(`${RTL}|\\p{L}`, 'u');
const ANY_RTL = new RegExp(RTL, 'u');
/** Right-to-left words, with what is between them. */
const RTL_PART = new RegExp(`(${RTL}(?:[^\\p{L}]*${RTL})*)`, 'gu');

/** Whether a text runs from right to left: its first letter decides. @param {string} text */
export function isRightToLeft(text) {
  return ANY_RTL.test(FIRST_STRONG.exec(text)?.[0] ?? '');
}

/**
 * Splits a text into parts of one direction.
 * @param {string} text
 * @param {boolean} inRightToLeft whether the paragraph runs from right to left
 * @returns {{ text: string, rightToLeft: boolean }[]}
 */
export function splitByDirection(text, inRightToLeft) {
  if (!inRightToLeft && !ANY_RTL.test(text)) return [{ text, rightToLeft: false }];
  return text
    .split(RTL_PART)
    .filter((part) => part !== '')
    .map((part) => ({
      text: part,
      rightToLeft: ANY_RTL.test(part) || (inRightToLeft && !/\p{L}/u.test(part)),
    }));
}
