import type { ApiKey } from '@/server/identity/keys/schema';

/** A key without limits that has spent $1.25. */
export const KEY: ApiKey = {
  id: 'key_1',
  name: 'agent',
  key_prefix: 'tg_abc…wxyz',
  status: 'active',
  credits: null,
  credits_used: 1.25,
  manages_account: false,
  expires_at: null,
  expired: false,
  allowed_tools: null,
  allowed_ips: null,
  spend_limit: null,
  rate_limits: null,
  tags: [],
  previous_secret_expires_at: null,
  created_at: '2026-11-01T00:00:00Z',
  last_used_at: null,
};
