import type { Runtime } from '../../core/runtime';
import type { AnySlot } from '../../platform/settings/providers';
import { touchDefault } from './store';

/** Notes that a saved value is being used. Nobody waits for it, and where it fails only the log says so. */
export function markUsed({ sql, log }: Runtime, keyId: string, slot: AnySlot): void {
  touchDefault(sql, keyId, slot).catch((error) =>
    log.warn('the use of a provider key was not noted', { slot, error }),
  );
}
