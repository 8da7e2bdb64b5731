// Converts HTML to plain text, as far as documents and emails need it.

const NAMED = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
    copy: '©',
    reg: '®',
    trade: '™',
    mdash: '—',
    ndash: '–',
    hellip: '…',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    laquo: '«',
    raquo: '»',
    bull: '•',
    middot: '·',
    times: '×',
    euro: '€',
    pound: '£',
    yen: '¥',
    deg: '°',
    plusmn: '±',
    larr: '←',
    rarr: '→',
    zwnj: '',
    zwj: '',
    shy: '',
  }),
);

/** @param {string} text */
export function decodeEntities(text) {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const isCharacter = code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '';
  });
}

/**
 * The text of an HTML fragment, without tags, comments, styles and scripts.
 * @param {string} html
 */
export function stripTags(html) {
  return decodeEntities(
    html
      .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
      .replace(/<(script|style|head|title)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
      .replace(/<br\s*\/?>/gi, '\n')
      .replace(/<[^<>]*>/g, ''),
  );
}

/**
 * Builds the plain text version of an HTML email.
 * @param {string} html
 */
export function mailText(html) {
  const linked = html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
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
  return stripTags(linked)
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/ *\n */g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
