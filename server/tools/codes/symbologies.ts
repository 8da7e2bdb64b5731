/** The rules for the content of one kind of barcode. */
export interface Symbology {
  /** Name of the symbology in bwip-js. */
  readonly library: string;
  /** Returns the text to encode, or why the content is invalid. */
  prepare(content: string): Prepared;
}

export type Prepared =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

/** The kinds of barcode, by the names callers use. */
export const symbologies = {
  ean13: checkDigitCode('ean13', 'EAN-13', 13),
  ean8: checkDigitCode('ean8', 'EAN-8', 8),
  upca: checkDigitCode('upca', 'UPC-A', 12),
  itf14: checkDigitCode('itf14', 'ITF-14', 14),
  code128: patternCode('code128', 'Code 128', /^[\x20-\x7e]+$/, 'printable ASCII characters', 80),
  code39: patternCode(
    'code39',
    'Code 39',
    /^[0-9A-Z \-.$/+%]+$/,
    'digits, capital letters, spaces and - . $ / + %',
    48,
  ),
  code93: patternCode(
    'code93',
    'Code 93',
    /^[0-9A-Z \-.$/+%]+$/,
    'digits, capital letters, spaces and - . $ / + %',
    48,
  ),
  codabar: patternCode(
    'rationalizedCodabar',
    'Codabar',
    /^[ABCD][0-9\-$:/.+]+[ABCD]$/,
    'digits and - $ : / . +, between a start and a stop letter from A to D, for instance A1234B',
    48,
  ),
  datamatrix: anyText('datamatrix', 1_500),
  pdf417: anyText('pdf417', 1_000),
  aztec: anyText('azteccode', 1_500),
} as const satisfies Record<string, Symbology>;

export type SymbologyName = keyof typeof symbologies;

/** The names, for an enum. */
export const symbologyNames = Object.keys(symbologies) as [SymbologyName, ...SymbologyName[]];

/**
 * The check digit of EAN, UPC and ITF-14: weights 3 and 1 alternate from the right (GS1 General
 * Specifications 7.9).
 * @param digits the number without its check digit
 */
export function computeCheckDigit(digits: string): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    sum += Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 3 : 1);
  }
  return (10 - (sum % 10)) % 10;
}

function checkDigitCode(library: string, displayName: string, length: number): Symbology {
  return {
    library,
    prepare(content) {
      const digits = content.replace(/[\s-]/g, '');
      if (!/^\d+$/.test(digits) || (digits.length !== length && digits.length !== length - 1)) {
        return {
          ok: false,
          message: `content: ${displayName} needs ${length} digits, or ${length - 1} to have the check digit added; this has ${describeDigits(digits)}.`,
        };
      }
      const body = digits.slice(0, length - 1);
      const expected = computeCheckDigit(body);
      const given = digits[length - 1];
      if (given !== undefined && Number(given) !== expected) {
        return {
          ok: false,
          message: `content: the check digit of ${digits} is ${given} and should be ${expected}. Correct the number, or omit the last digit to have it added.`,
        };
      }
      return { ok: true, text: `${body}${expected}` };
    },
  };
}

function describeDigits(text: string): string {
  const other = /\D/.exec(text);
  return other ? `the character "${other[0]}"` : `${text.length}`;
}

function patternCode(
  library: string,
  displayName: string,
  pattern: RegExp,
  allowed: string,
  maxChars: number,
): Symbology {
  return {
    library,
    prepare(content) {
      if (content.length > maxChars) {
        return {
          ok: false,
          message: `content: ${displayName} holds at most ${maxChars} characters; this has ${content.length}. Use datamatrix, pdf417 or a QR code for more.`,
        };
      }
      if (!pattern.test(content))
        return { ok: false, message: `content: ${displayName} allows only ${allowed}.` };
      return { ok: true, text: content };
    },
  };
}

function anyText(library: string, maxChars: number): Symbology {
  return {
    library,
    prepare: (content) =>
      content.length <= maxChars
        ? { ok: true, text: content }
        : { ok: false, message: `content: at most ${maxChars} characters fit; this has ${content.length}.` },
  };
}
