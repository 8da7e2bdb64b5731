/**
 * Reads a small, undamaged QR code in byte mode, for tests: it proves that what was drawn says what it should.
 * Knows versions 1 and 2 (one block of codewords at every level) and corrects no errors.
 * @param dark rows of modules, true where dark
 * @throws Error where it is no such code
 */
export function readQr(dark: readonly (readonly boolean[])[]): string {
  const size = dark.length;
  const isDark = (row: number, column: number) => dark[row]?.[column] === true;
  if (size !== 21 && size !== 25) throw new Error('Not of version 1 or 2');
  const mask = masks[readMaskNumber(isDark)];
  if (!mask) throw new Error('No such mask');
  const bits: number[] = [];
  let upwards = true;
  for (let right = size - 1; right > 0; right -= 2) {
    // Column 6 is the timing pattern; pairs of columns shift by one left of it.
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const row = upwards ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (!isFunctionModule(size, row, column))
          bits.push(Number(isDark(row, column) !== mask(row, column)));
      }
    }
    upwards = !upwards;
  }
  return readBytes(bits);
}

const masks: readonly ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_r, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** Of the five data bits of the format, beside the upper left finder and masked by 10101, the last three. */
function readMaskNumber(isDark: (row: number, column: number) => boolean): number {
  return ([2, 3, 4].reduce((bits, column) => bits * 2 + Number(isDark(8, column)), 0) ^ 0b10101) & 0b111;
}

function isFunctionModule(size: number, row: number, column: number): boolean {
  const finder =
    (row < 9 && column < 9) || (row < 9 && column >= size - 8) || (row >= size - 8 && column < 9);
  const timing = row === 6 || column === 6;
  // Version 2 has one alignment pattern, centred seven modules from the lower right corner.
  const centre = size - 7;
  const alignment = size > 21 && Math.abs(row - centre) <= 2 && Math.abs(column - centre) <= 2;
  return finder || timing || alignment;
}

function readBytes(bits: readonly number[]): string {
  const take = (from: number, count: number) =>
    bits.slice(from, from + count).reduce((sum, bit) => sum * 2 + bit, 0);
  let at = 0;
  // An extended-channel header (mode 7) names the character set in eight bits.
  if (take(at, 4) === 7) at += 12;
  if (take(at, 4) !== 4) throw new Error('Not in byte mode');
  const length = take(at + 4, 8);
  const bytes = Array.from({ length }, (_, index) => take(at + 12 + 8 * index, 8));
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
