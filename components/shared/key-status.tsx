import type { ApiKey } from '@/server/identity/keys/schema';
import { Badge } from '../ui/badge';
import { DateTime } from '../ui/date-time';
import { findKeyState, KEY_STATE_WORDS, type KeySituation } from './key-state';

interface KeyStatusProps extends KeySituation {
  apiKey: Pick<ApiKey, 'status' | 'credits' | 'spend_limit' | 'expires_at' | 'expired'>;
}

const LOOKS = {
  revoked: { tone: 'neutral', title: undefined },
  expired: { tone: 'danger', title: 'Every request is refused. Set a later expiry in its rules.' },
  'used-up': {
    tone: 'warning',
    title: 'It can still call free skills. Raise its credit limit for paid ones.',
  },
  limit: {
    tone: 'warning',
    title: 'It can still call free skills. Paid ones are refused until the limit resets.',
  },
  'no-credit': {
    tone: 'warning',
    title: 'The account has too little credit. The key can still call free skills.',
  },
  active: { tone: 'success', title: undefined },
} as const;

/** Whether a key can call: what refuses its calls now comes before an expiry to come. */
export function KeyStatus({ apiKey, ...situation }: KeyStatusProps) {
  const state = findKeyState(apiKey, situation);
  if (state === 'expiring')
    return (
      <Badge tone="warning">
        Expires {apiKey.expires_at !== null && <DateTime at={apiKey.expires_at} format="age" />}
      </Badge>
    );
  // A limit of calls refuses free skills too.
  const { tone, title } = LOOKS[state];
  const ofCalls = state === 'limit' && situation.blocked?.error_code === 'RATE_LIMIT_EXCEEDED';
  return (
    <Badge tone={tone} title={ofCalls ? undefined : title}>
      {KEY_STATE_WORDS[state]}
    </Badge>
  );
}
