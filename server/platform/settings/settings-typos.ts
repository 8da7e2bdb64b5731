import type { Logger } from '../../kit/log';
import { findNearest } from '../../kit/nearest';
import { SETTINGS } from './settings-table';

/** Shorter names are close to too many others. */
const MIN_LENGTH = 7;
const MAX_DISTANCE = 2;

/** Logs a warning for each variable that looks like a misspelled setting. */
export function warnOfTypos(env: NodeJS.ProcessEnv, log: Pick<Logger, 'warn'>): void {
  for (const { name, meant } of findLikelyTypos(env)) log.warn('settings.possible_typo', { name, meant });
}

/** Finds variables such as `DATABSE_URL` that nearly match a setting which is not set itself. */
export function findLikelyTypos(env: NodeJS.ProcessEnv): { name: string; meant: string }[] {
  const unset = Object.keys(SETTINGS).filter((name) => name.length >= MIN_LENGTH && env[name] === undefined);
  return Object.keys(env)
    .filter((name) => name.length >= MIN_LENGTH && !Object.hasOwn(SETTINGS, name))
    .flatMap((name) => {
      const meant = findNearest(name, unset, MAX_DISTANCE);
      return meant === undefined ? [] : [{ name, meant }];
    });
}
