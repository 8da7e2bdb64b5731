import type { ApiKey } from '@/server/identity/keys/schema';

/** The label of the action: a key without a limit gets one, any other key gets more credit. */
export function creditsActLabel(apiKey: ApiKey): string {
  return apiKey.credits === null ? 'Set a credit limit' : 'Add credits';
}
