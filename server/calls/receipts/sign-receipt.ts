import { createHash } from 'node:crypto';
import type { Runtime } from '../../core/runtime';
import { canonicalJson } from '../../kit/canonical-json';
import { decimalUsd } from '../../kit/money';
import type { CallResult } from '../result/schema';
import type { Receipt, ReceiptClaims } from './schema';
import type { Charge } from './store';

/**
 * Signs the receipt of a call that succeeded.
 * @param output undefined if the gateway does not have it any more
 */
export async function signReceipt(
  { receiptSigner, settings }: Pick<Runtime, 'receiptSigner' | 'settings'>,
  charge: Charge,
  output: CallResult['output'],
): Promise<Receipt> {
  const cost = charge.raw + charge.markup;
  const claims: ReceiptClaims = {
    iss: settings.baseUrl,
    iat: Math.floor(Date.now() / 1000),
    jti: charge.id,
    account: charge.account_id,
    key: charge.key_id,
    tool: charge.tool,
    skill: charge.skill,
    cost_usd: decimalUsd(cost),
    cost_microusd: Number(cost),
    currency: 'USD',
    byok: charge.byok,
    called_at: new Date(charge.created_ms).toISOString(),
    finished_at: new Date(charge.finished_ms).toISOString(),
    output_sha256: output === undefined ? null : hashOutput(output),
  };
  return { receipt: await receiptSigner.sign(claims), claims };
}

/** The SHA-256 of canonical JSON, which a client computes again from the parsed response. */
function hashOutput(output: NonNullable<CallResult['output']>): string {
  return createHash('sha256').update(canonicalJson(output)).digest('hex');
}
