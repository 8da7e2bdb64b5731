import { createHash } from 'node:crypto';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { canonicalJson } from './canonical-json.js';
import type { Shape } from './client-types.js';

/** The `typ` header of a receipt, which other signed tokens do not have. */
const TYPE = 'gateway-receipt+jwt';
const ALGORITHM = 'EdDSA';

/** A receipt that does not prove what it claims. */
export class InvalidReceipt extends Error {
  override readonly name = 'InvalidReceipt';
}

export interface ReceiptChecks {
  /** The keys of the gateway: the response of `GET /.well-known/jwks.json`. */
  keys: { keys: readonly object[] };
  /** The URL of the gateway that must have signed it; any if omitted. */
  issuer?: string | undefined;
  /** The output that the receipt must be about; not compared if omitted. */
  output?: unknown;
}

/**
 * Verifies a receipt and returns its claims.
 * @param receipt a compact JWS: the header `Gateway-Receipt`, or `receipt` of a result
 * @throws InvalidReceipt if the signature, the issuer or the hash of the output does not match
 */
export async function verifyReceipt(
  receipt: string,
  { keys, issuer, output }: ReceiptChecks,
): Promise<Shape<'ReceiptClaims'>> {
  const claims = await readSigned(receipt, keys);
  if (issuer !== undefined && claims.iss !== issuer)
    throw new InvalidReceipt(`The receipt is from ${claims.iss}, not from ${issuer}.`);
  if (output === undefined) return claims;
  if (claims.output_sha256 === null) throw new InvalidReceipt('The receipt has no hash of the output.');
  if (hashOutput(output) !== claims.output_sha256)
    throw new InvalidReceipt('The output is not the one of the receipt.');
  return claims;
}

/** The hash of an output in a receipt: SHA-256 of its canonical JSON (RFC 8785), hexadecimal. */
export function hashOutput(output: unknown): string {
  return createHash('sha256').update(canonicalJson(output)).digest('hex');
}

async function readSigned(receipt: string, keys: ReceiptChecks['keys']): Promise<Shape<'ReceiptClaims'>> {
  try {
    const keySet = createLocalJWKSet(keys as JSONWebKeySet);
    const { payload, protectedHeader } = await compactVerify(receipt, keySet, { algorithms: [ALGORITHM] });
    if (protectedHeader.typ !== TYPE) throw new InvalidReceipt('The file is signed, but not a receipt.');
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch (error) {
    if (error instanceof InvalidReceipt) throw error;
    throw new InvalidReceipt('The signature of the receipt is not valid, or its key is not listed.', {
      cause: error,
    });
  }
}
