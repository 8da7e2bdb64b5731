import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { invalidFields } from '../../core/errors/field-errors';
import { canonicalJson } from '../../kit/canonical-json';
import { usdFromMicrousd } from '../../kit/money';
import type { BootedSettings } from '../../platform/settings/settings';
import type { AnySkill } from '../../tools/sdk/define-tool';
import { listRates, type RateTable, replaceRates } from '../../tools/sdk/rates';
import type { QueuedPrices } from '../admission/store';
import type { Quote } from '../schema';
import { type CallCost, sumCost } from './price-call';

const QUOTE_MS = 600_000;
const PREFIX = 'quote_';
const TOKEN = /^quote_[A-Za-z0-9_-]{30,1000}$/;
const VERSION = 1;
const KEY_BYTES = 32;
/** A truncated HMAC of 128 bits (RFC 2104 section 5) keeps the id short enough to copy. */
const MAC_BYTES = 16;
/** Amounts before the unit prices: expiry, fee and provider cost of the maximum, BYOK rate. */
const FIRST_AMOUNTS = 4;

// Of a varint: the mark of a further byte, the bits of a byte, and the bytes of an amount.
const CONTINUES = 0x80n;
const LOW_BITS = 0x7fn;
const MAX_BYTES = 10;

/** What a quote is valid for: the same call, charged to the same account. */
export interface QuotedCall {
  /** The charged account. */
  accountId: string;
  tool: string;
  skill: AnySkill;
  /** The validated input. */
  input: unknown;
  /** The input as sent. */
  rawInput: Record<string, unknown>;
  /** The call uses the caller's own provider key. */
  byok: boolean;
}

/** The prices that a quote fixes. */
export interface BoundPrices {
  /** The maximum cost. */
  max: CallCost;
  rates: RateTable;
  byokRatePpm: bigint;
}

/**
 * Creates a quote for a call, at the current prices. Nothing is stored: the id carries the prices,
 * and is authenticated together with the call (docs/decisions/0058).
 */
export function createQuote(
  settings: Pick<BootedSettings, 'authSecret' | 'byokRatePpm'>,
  call: QuotedCall,
  max: CallCost,
  now = Date.now(),
): Quote {
  const expiresAt = Math.floor((now + QUOTE_MS) / 1000);
  const rates = listRates(call.skill.price.rates(call.input));
  const first = [BigInt(expiresAt), max.markup, max.raw, settings.byokRatePpm];
  const payload = Buffer.concat([Buffer.from([VERSION]), writeVarints([...first, ...rates.values()])]);
  const token = Buffer.concat([payload, computeMac(settings, payload, call, [...rates.keys()])]);
  return toQuote(PREFIX + token.toString('base64url'), max, expiresAt);
}

/**
 * Reads the quote of a call.
 * @throws GatewayError INVALID_INPUT if it is malformed, of another call, or expired
 */
export function readQuote(
  settings: Pick<BootedSettings, 'authSecret'>,
  call: QuotedCall,
  id: string,
  now = Date.now(),
): BoundPrices & { quote: Quote } {
  const token = Buffer.from(TOKEN.test(id) ? id.slice(PREFIX.length) : '', 'base64url');
  const payload = token.subarray(0, Math.max(0, token.length - MAC_BYTES));
  const current = call.skill.price.rates(call.input);
  const paths = [...listRates(current).keys()];
  const mac = computeMac(settings, payload, call, paths);
  // base64url has several spellings of the same bytes: only the one that was sent is accepted.
  const isOurs =
    PREFIX + token.toString('base64url') === id &&
    payload[0] === VERSION &&
    timingSafeEqual(mac, token.subarray(payload.length));
  const amounts = isOurs ? readVarints(payload.subarray(1)) : null;
  const rates =
    amounts?.length === FIRST_AMOUNTS + paths.length &&
    replaceRates(current, new Map(paths.map((path, at) => [path, amounts[FIRST_AMOUNTS + at] ?? 0n])));
  if (!amounts || !rates)
    throw refuseQuote(
      'is not a quote for this call. It is valid with the tool, skill, input, billing account and kind of provider key of its dry run, unchanged. Get another with dry_run.',
    );
  const [seconds = 0n, markup = 0n, raw = 0n, byokRatePpm = 0n] = amounts;
  const expiresAt = Number(seconds);
  if (now >= expiresAt * 1000)
    throw refuseQuote(`expired at ${new Date(expiresAt * 1000).toISOString()}. Get another with dry_run.`);
  const max = { markup, raw };
  return { max, rates, byokRatePpm, quote: toQuote(id, max, expiresAt) };
}

function toQuote(id: string, max: CallCost, expiresAt: number): Quote {
  return {
    id,
    max_usd: usdFromMicrousd(sumCost(max)),
    expires_at: new Date(expiresAt * 1000).toISOString(),
  };
}

/** Authenticates payload and call; the names of the unit prices give the amounts their meaning. */
function computeMac(
  { authSecret }: Pick<BootedSettings, 'authSecret'>,
  payload: Buffer,
  { accountId, tool, skill, rawInput, byok }: QuotedCall,
  paths: readonly string[],
): Buffer {
  const key = Buffer.from(hkdfSync('sha256', authSecret, '', 'price quotes', KEY_BYTES));
  const call = canonicalJson({ accountId, tool, skill: skill.name, byok, paths, input: rawInput });
  return createHmac('sha256', key).update(payload).update(call).digest().subarray(0, MAC_BYTES);
}

function refuseQuote(problem: string) {
  return invalidFields([{ path: 'quote_id', message: `\`quote_id\` ${problem}` }], { billed: false });
}

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

/** Converts the prices of a quote for the row of a queued call. */
export function toQueuedPrices({ max, rates, byokRatePpm }: BoundPrices): QueuedPrices {
  return {
    markup: String(max.markup),
    raw: String(max.raw),
    byokRatePpm: String(byokRatePpm),
    rates: Object.fromEntries([...listRates(rates)].map(([path, amount]) => [path, String(amount)])),
  };
}

/** Restores the prices of a queued call; null if its skill now has other unit prices. */
export function fromQueuedPrices(prices: QueuedPrices, skill: AnySkill, input: unknown): BoundPrices | null {
  const current = skill.price.rates(input);
  const amounts = new Map(Object.entries(prices.rates).map(([path, amount]) => [path, BigInt(amount)]));
  // A call that an older release queued has no markup.
  if (current.markupPpm !== undefined && !amounts.has('markupPpm')) amounts.set('markupPpm', 0n);
  const rates = replaceRates(current, amounts);
  if (!rates) return null;
  const { markup, raw, byokRatePpm } = prices;
  return { max: { markup: BigInt(markup), raw: BigInt(raw) }, rates, byokRatePpm: BigInt(byokRatePpm) };
}
