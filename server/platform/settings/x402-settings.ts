import type { RawSettings, SettingProblem } from './settings';

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
