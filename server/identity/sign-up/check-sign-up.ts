import type { Executor } from '@/db/client';
import type { Runtime } from '../../core/runtime';
import { getOperatorRole, type SignUpPolicy } from '../../platform/settings/access-settings';
import { consumeInvitation, findPolicy, findStanding } from './store';

type SignUpRuntime = Pick<Runtime, 'settings'> & { readonly db: Executor };

/** Thrown where a person would be created whom the policy refuses. */
export class SignUpRefused extends Error {
  constructor() {
    super('The sign-up policy refuses this address');
    this.name = 'SignUpRefused';
  }
}

/** The policy that applies: the operators' choice, or the settings. */
export async function getSignUpPolicy({
  db,
  settings,
}: SignUpRuntime): Promise<{ policy: SignUpPolicy; domains: readonly string[]; overridden: boolean }> {
  const chosen = await findPolicy(db);
  const { signUpPolicy: policy, signUpDomains: domains } = settings.access;
  return chosen
    ? { policy: chosen.policy, domains: chosen.domains, overridden: true }
    : { policy, domains, overridden: false };
}

/**
 * Whether an address may sign in: it belongs to a person, or may sign up. Operators and their
 * support always may. The number of statements does not depend on the address.
 * @param options.verified false if the sign-in did not prove the address: then only an open policy
 *   admits a new person
 */
export async function checkSignUpAllowed(
  runtime: SignUpRuntime,
  email: string,
  { verified = true }: { verified?: boolean } = {},
): Promise<boolean> {
  const { exists, open, admitted } = await judgeAddress(runtime, email);
  return exists || open || (verified && admitted);
}

/** Whether an address belongs to a person, or is invited. */
export async function isKnownAddress(db: Executor, email: string): Promise<boolean> {
  const { exists, invited } = await findStanding(db, email.toLowerCase());
  return exists || invited;
}

/**
 * Whether the policy admits an address. Unlike `checkSignUpAllowed`, the answer does not depend on
 * whether someone has it.
 */
export async function isAdmittedByPolicy(runtime: SignUpRuntime, email: string): Promise<boolean> {
  return (await judgeAddress(runtime, email)).admitted;
}

/** Admits a new address and uses up its invitation; false if the policy does not admit it. */
export async function admitNewAddress(runtime: SignUpRuntime, email: string): Promise<boolean> {
  if (!(await isAdmittedByPolicy(runtime, email))) return false;
  await consumeInvitation(runtime.db, email.toLowerCase());
  return true;
}

async function judgeAddress(runtime: SignUpRuntime, email: string) {
  const address = email.toLowerCase();
  const { policy, domains } = await getSignUpPolicy(runtime);
  const { exists, invited } = await findStanding(runtime.db, address);
  const open = policy === 'open';
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const isAtDomain = policy === 'domains' && domains.includes(domain);
  const isKnown = invited || getOperatorRole(runtime.settings, address) !== null;
  return { exists, open, admitted: open || isAtDomain || isKnown };
}

/**
 * Admits a new person within the transaction that creates them, and uses up their invitation.
 * @throws SignUpRefused
 */
export async function admitNewPerson(
  runtime: SignUpRuntime,
  email: string,
  proof: { verified: boolean },
): Promise<void> {
  if (!(await checkSignUpAllowed(runtime, email, proof))) throw new SignUpRefused();
  await consumeInvitation(runtime.db, email.toLowerCase());
}
