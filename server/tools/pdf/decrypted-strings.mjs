// pdf-lib decrypts literal strings and writes their bytes without escapes (`a) b` as `(a) b)`),
// which damages the copy. As hexadecimal strings they need none.
import { PDFHexString, PDFObjectParser, PDFString } from '@cantoo/pdf-lib';

/** @typedef {(this: { cryptoFactory?: unknown }, ref?: unknown) => unknown} ParseString */

const prototype = /** @type {{ parseString?: ParseString }} */ (
  /** @type {unknown} */ (PDFObjectParser.prototype)
);
const original = prototype.parseString;
if (original)
  prototype.parseString = function parseString(ref) {
    const string = original.call(this, ref);
    const isDecrypted = this.cryptoFactory !== undefined && ref !== undefined;
    if (!isDecrypted || !(string instanceof PDFString)) return string;
    return PDFHexString.of(Buffer.from(string.asString(), 'latin1').toString('hex'));
  };
