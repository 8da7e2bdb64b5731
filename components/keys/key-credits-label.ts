import type { ApiKey } from '@/server/identity/keys/schema';

/** The label of the action that sets the total a key may spend. */
export function creditsActLabel(apiKey: Pick<ApiKey, 'credits'>): string {
  return apiKey.credits === null ? 'Set a credit limit' : 'Raise the credit limit';
}
