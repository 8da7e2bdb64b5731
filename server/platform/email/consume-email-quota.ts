import type { Executor } from '@/db/client';
import { emailSubject, networkSubject } from '../../core/limits/client-subject';
import { takeFromWindow } from '../../core/limits/store';
import type { BootedSettings } from '../settings/settings';

const HOUR_SECONDS = 3600;

/**
 * An email that a user triggers. Each kind is counted against limits of its own.
 */
interface EmailRequest {
  kind: 'sign-in' | 'invitation' | 'email-change';
  to: string;
  /** Without it, the per-network limit is skipped. */
  clientIp?: string | undefined;
  /** Whether the person is known: a flood to other addresses leaves these their total. */
  isKnown?: boolean;
}

/** The limit that was reached, and when it resets. */
export class EmailLimitReached extends Error {
  constructor(
    readonly limit: 'address' | 'network' | 'total',
    readonly quota: number,
    readonly resetSeconds: number,
  ) {
    super(`The limit of emails per ${limit} was reached`);
  }
}

/**
 * Counts an email before it is sent: per recipient, per client network and in total, per hour,
 * across all processes. Run it in a transaction, so that a refusal undoes what was counted.
 * @throws EmailLimitReached
 */
export async function consumeEmailQuota(
  tx: Executor,
  settings: BootedSettings,
  { kind, to, clientIp, isKnown = false }: EmailRequest,
): Promise<void> {
  const { claimSecret, emailsPerAddress, emailsPerNetwork, emailsTotal } = settings;
  const windows = [
    { limit: 'address', quota: emailsPerAddress, subject: emailSubject(claimSecret, to) },
    {
      limit: 'network',
      quota: emailsPerNetwork,
      subject: clientIp ? networkSubject(claimSecret, clientIp) : null,
    },
    { limit: 'total', quota: emailsTotal, subject: isKnown ? 'known' : '' },
  ] as const;
  for (const { limit, quota, subject } of windows) {
    if (subject === null) continue;
    const window = { scope: `${kind}-emails-${limit}`, subject, quota, seconds: HOUR_SECONDS };
    const { taken, resetSeconds } = await takeFromWindow(tx, window);
    if (!taken) throw new EmailLimitReached(limit, quota, resetSeconds);
  }
}
