import type { Logger } from '../../kit/log';
import type { Settings } from './settings';
import { findConflicts } from './settings-conflicts';
import { findLikelyTypos } from './settings-typos';

/** Logs a warning for each likely misspelling of a setting, and for settings without an effect. */
export function warnOfSettings(
  env: NodeJS.Dict<string>,
  settings: Settings,
  log: Pick<Logger, 'warn'>,
): void {
  for (const { name, meant } of findLikelyTypos(env)) log.warn('settings.possible_typo', { name, meant });
  for (const conflict of findConflicts(env, settings)) log.warn('settings.no_effect', { conflict });
}
