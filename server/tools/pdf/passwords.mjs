// Encodes passwords as the revisions of PDF encryption expect them, for all three PDF libraries.

/** PDFDocEncoding from 0x18 and from 0x80, where it differs from Latin-1 (ISO 32000-2, annex D). */
const LOW = '˘ˇˆ˙˝˛˚˜';
const HIGH = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž';
const PDF_DOC_CODES = new Map([
  ...[...LOW].map((char, at) => /** @type {const} */ ([char, 0x18 + at])),
  ...[...HIGH].map((char, at) => /** @type {const} */ ([char, 0x80 + at])),
  ['€', 0xa0],
]);

/** Characters that SASLprep (RFC 4013) maps to nothing. */
const IGNORED = /\u034f|[\u180b-\u180d]|[\ufe00-\ufe0f]|[\u00ad\u1806\u200b-\u200d\u2060\ufeff]/gu;
const OTHER_SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu;

/**
 * Returns the forms of a password to try, most likely first. PDF 2.0 prepares it with SASLprep and
 * encodes it as UTF-8; revisions 2 to 4 use PDFDocEncoding. A code above 0x7f stands for one byte.
 * @param {string | undefined} password as typed; without one, a document may open with an empty one
 * @returns {[string, ...string[]]}
 */
export function listPasswordForms(password) {
  if (password === undefined || password === '') return [''];
  const prepared = password.replace(OTHER_SPACES, ' ').replace(IGNORED, '').normalize('NFKC');
  const composed = password.normalize('NFC');
  // Revision 5 uses UTF-8 too, which pdf.js and pdf-lib know of revision 6 only.
  const forms = [prepared, composed, password].flatMap((form) => [
    form,
    encodePdfDoc(form),
    Buffer.from(form, 'utf8').toString('latin1'),
  ]);
  const [first = password, ...others] = new Set(forms.filter((form) => form !== ''));
  return [first, ...others];
}

/** @param {string} text */
function encodePdfDoc(text) {
  return [...text].map((char) => String.fromCharCode(PDF_DOC_CODES.get(char) ?? char.charCodeAt(0))).join('');
}

/**
 * Opens a document with the first form of a password that fits.
 * @template Document
 * @param {string | undefined} password
 * @param {(form: string) => Promise<Document>} open
 * @param {(error: unknown) => boolean} isWrongPassword
 * @throws the last error, if no form fits
 */
export async function openWithPassword(password, open, isWrongPassword) {
  const [first, ...others] = listPasswordForms(password);
  let form = first;
  for (;;) {
    try {
      return await open(form);
    } catch (error) {
      const next = others.shift();
      if (next === undefined || !isWrongPassword(error)) throw error;
      form = next;
    }
  }
}
