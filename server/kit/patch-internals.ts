import './process-singleton';
import { createLogger } from './log';

const skipped = new Set<string>();

/**
 * Applies a change to internals of Node or of a library. Another version may not allow it: then the
 * process runs without it, and logs that once.
 * @param name of the patch in the log
 */
export function patchInternals(name: string, patch: () => void): void {
  try {
    patch();
  } catch (error) {
    if (skipped.has(name)) return;
    skipped.add(name);
    const log = globalThis.__gateway?.log ?? createLogger();
    log.warn('internals.patch_skipped', { patch: name, error });
  }
}
