import type { Runtime } from '../../core/runtime';
import type { AnyProviderName } from '../../platform/settings/providers';
import { touchDefault } from './store';

/** Records that a saved value is in use. Does not block; a failure is only logged. */
export function markUsed(
  { sql, log }: Pick<Runtime, 'log' | 'sql'>,
  keyId: string,
  slot: AnyProviderName,
): void {
  touchDefault(sql, keyId, slot).catch((error) => log.warn('provider_key.mark_used_failed', { slot, error }));
}
