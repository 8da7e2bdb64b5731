import { hkdfSync } from 'node:crypto';
import type { Runtime } from '../../core/runtime';
import { openX402, type X402Payments } from '../../platform/ports/x402-payments';

const SECRET_BYTES = 32;

/** x402 with the operator's facilitator and address; null if it is off. */
export async function openX402Scheme({ settings }: Pick<Runtime, 'settings'>): Promise<X402Payments | null> {
  if (!settings.x402) return null;
  const secret = Buffer.from(hkdfSync('sha256', settings.authSecret, '', 'x402 tickets', SECRET_BYTES));
  return await openX402({ ...settings.x402, secret, resourceUrl: `${settings.baseUrl}/v1/tools/call` });
}
