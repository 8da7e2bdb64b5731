// Converts HTML to plain text, as far as documents and emails need it.

import { decodeHTMLStrict } from 'entities';

/** Elements that begin and end lines. */
const BLOCK_TAGS =
  /<\/?(?:p|div|h[1-6]|tr|table|thead|tbody|tfoot|ul|ol|li|dl|dt|dd|blockquote|pre|section|article|aside|header|footer|main|nav|form|fieldset|figure|figcaption|details|summary|hr|caption|address|center)\b[^<>]*>/gi;
// biome-ignore lint/suspicious/noControlCharactersInRegex: neither PDF nor XML can hold them
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Comments, CDATA sections and processing instructions. */
const HIDDEN = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)/g;
const REFERENCE = /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,40});/gi;

/** Decodes the character references that CommonMark knows. @param {string} text */
export function decodeEntities(text) {
  return text.replace(REFERENCE, (reference) => removeUnprintable(decodeHTMLStrict(reference)));
}

/** Removes characters that documents cannot hold. @param {string} text */
export function removeUnprintable(text) {
  return text.replace(UNPRINTABLE, '');
}

/** Removes comments and other code that is no content. @param {string} html */
export function removeHidden(html) {
  return html.replace(HIDDEN, '');
}

/**
 * The text of an HTML fragment, without tags, comments, styles and scripts.
 * @param {string} html
 */
export function stripTags(html) {
  return decodeEntities(
    removeHidden(html)
      .replace(/<(script|style|head|title)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
      .replace(/<br\s*\/?>/gi, '\n')
      .replace(/<[^<>]*>/g, ''),
  );
}

/**
 * The lines of an HTML block in Markdown.
 * @param {string} html
 * @returns {string[]}
 */
export function readHtmlLines(html) {
  const lined = html.replace(BLOCK_TAGS, '<br>').replace(/<\/t[dh]\s*>/gi, ' ');
  return stripTags(lined)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}

/**
 * The picture of an `<img>` tag.
 * @param {string} tag
 * @returns {{ source: string, alt: string } | undefined}
 */
export function readImageTag(tag) {
  const source = readAttribute(tag, 'src');
  return source ? { source, alt: readAttribute(tag, 'alt') ?? '' } : undefined;
}

/** @param {string} tag @param {string} attribute */
function readAttribute(tag, attribute) {
  const found = new RegExp(`\\s${attribute}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag);
  const value = found?.[1] ?? found?.[2] ?? found?.[3];
  return value === undefined ? undefined : decodeEntities(value).trim();
}

/**
 * Builds the plain text version of an HTML email.
 * @param {string} html
 */
export function mailText(html) {
  const linked = removeHidden(html)
    // The preview text, which clients show only in the inbox list.
    .replace(/<div style="display:none[^"]*">[\s\S]*?<\/div>/g, '')
    .replace(/\s+/g, ' ')
    .replace(/<a\b[^<>]*?href="([^"]*)"[^<>]*>(.*?)<\/a>/gi, (_whole, href, words) => {
      const label = stripTags(words).trim();
      const target = decodeEntities(href).replace(/^mailto:/, '');
      return label === '' || label === target ? ` ${target} ` : ` ${label} (${target}) `;
    })
    .replace(/<img\b[^<>]*?alt="([^"]+)"[^<>]*>/gi, ' $1 ')
    .replace(/<li\b[^<>]*>/gi, '<br>- ')
    .replace(/<\/(p|div|h[1-6]|tr|table|ul|ol|li|blockquote)\s*>/gi, '<br>')
    .replace(/<\/t[dh]\s*>/gi, ' ');
  return (
    stripTags(linked)
      // Invisible characters that pad preview texts.
      .replace(/[\u00ad\u200c\u200d]/g, '')
      .replace(/[ \t\u00a0]+/g, ' ')
      .replace(/ *\n */g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  );
}
