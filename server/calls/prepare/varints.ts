const CONTINUES = 0x80n;
const LOW_BITS = 0x7fn;
const MAX_BYTES = 10;

/** Encodes amounts as LEB128: seven bits a byte, the lowest first. Pure. */
export function writeVarints(amounts: readonly bigint[]): Buffer {
  const bytes: number[] = [];
  for (const amount of amounts) {
    if (amount < 0n) throw new RangeError(`Not an unsigned amount: ${amount}`);
    let rest = amount;
    for (; rest > LOW_BITS; rest >>= 7n) bytes.push(Number((rest & LOW_BITS) | CONTINUES));
    bytes.push(Number(rest));
  }
  return Buffer.from(bytes);
}

/** Decodes amounts; null if the bytes end within one or an amount is too long. Pure. */
export function readVarints(bytes: Uint8Array): bigint[] | null {
  const amounts: bigint[] = [];
  let amount = 0n;
  let length = 0;
  for (const byte of bytes) {
    if (length === MAX_BYTES) return null;
    amount |= (BigInt(byte) & LOW_BITS) << BigInt(7 * length);
    length++;
    if (byte & Number(CONTINUES)) continue;
    amounts.push(amount);
    amount = 0n;
    length = 0;
  }
  return length === 0 ? amounts : null;
}
