import { z } from 'zod';
import { define, urlSchema } from './setting-schemas';
import type { RawSettings, SettingProblem } from './settings';

/** Settings of payments in USDC. */
export const X402_SETTINGS = {
  X402_FACILITATOR_URL: define(
    urlSchema(['https:', 'http:'], 'https://x402.org/facilitator'),
    null,
    'Base URL of an x402 facilitator, which verifies and settles payments in USDC. Requires X402_PAY_TO and PAY_PER_CALL.',
  ),
  X402_PAY_TO: define(
    z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hexadecimal digits'),
    null,
    'Your address, which gets x402 payments. Requires X402_FACILITATOR_URL.',
  ),
  X402_NETWORK: define(
    z.enum(['base', 'base-sepolia'], { error: 'must be base or base-sepolia' }),
    'base',
    'Network of x402 payments; the token is its USDC. base-sepolia is a test network: its payments are not money.',
  ),
};

/** How calls can be paid for in USDC. */
export interface X402Settings {
  facilitatorUrl: string;
  payTo: string;
  network: 'base' | 'base-sepolia';
}

/** Builds the settings of x402; null if it is off. */
export function buildX402Settings(raw: RawSettings, problems: SettingProblem[]): X402Settings | null {
  const { X402_FACILITATOR_URL: facilitatorUrl, X402_PAY_TO: payTo, X402_NETWORK: network } = raw;
  if (!facilitatorUrl && !payTo) return null;
  if (!facilitatorUrl)
    problems.push({ name: 'X402_FACILITATOR_URL', problem: 'is required with X402_PAY_TO' });
  if (!payTo) problems.push({ name: 'X402_PAY_TO', problem: 'is required with X402_FACILITATOR_URL' });
  if (!raw.PAY_PER_CALL)
    problems.push({ name: 'PAY_PER_CALL', problem: 'must be 1 with X402_FACILITATOR_URL' });
  return facilitatorUrl && payTo && network ? { facilitatorUrl, payTo, network } : null;
}
