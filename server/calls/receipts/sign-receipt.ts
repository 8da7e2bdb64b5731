import type { Runtime } from '../../core/runtime';
import { hashCanonicalJson } from '../../kit/canonical-json';
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
    // A client computes it again from the parsed response.
    output_sha256: output === undefined ? null : hashCanonicalJson(output),
  };
  return { receipt: await receiptSigner.sign(claims), claims };
}
