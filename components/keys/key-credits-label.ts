import type { ApiKey } from '@/server/identity/keys/schema';

/** What the act is called: a key without a limit gets one, another gets more. */
export function creditsActLabel(apiKey: ApiKey): string {
  return apiKey.credits === null ? 'Set a credit limit' : 'Add credits';
}
