import { findNearest } from '../../kit/nearest';
import { SETTINGS } from './settings-table';

/** Shorter names are close to too many others. */
const MIN_LENGTH = 7;
const MAX_DISTANCE = 2;
/** Words of other products, and ours. */
const SYNONYMS: [theirs: RegExp, ours: string][] = [
  [/^(MAX_)?(CALLS|REQUESTS|RATE_LIMIT)_PER_/, 'RATE_PER_'],
  [/^(MAX_)?(CALL_CONCURRENCY|CONCURRENT_REQUESTS|CONCURRENCY)$/, 'CONCURRENT_CALLS'],
];

/**
 * Finds variables such as `DATABSE_URL` or `CALLS_PER_MINUTE` that nearly match a setting, or mean
 * one in other words. The setting is not set itself.
 */
export function findLikelyTypos(env: NodeJS.Dict<string>): { name: string; meant: string }[] {
  const unset = Object.keys(SETTINGS).filter((name) => name.length >= MIN_LENGTH && env[name] === undefined);
  return Object.keys(env)
    .filter((name) => name.length >= MIN_LENGTH && !Object.hasOwn(SETTINGS, name))
    .flatMap((name) => {
      const meant = findNearest(name, unset, MAX_DISTANCE) ?? findSynonym(name, unset);
      return meant === undefined ? [] : [{ name, meant }];
    });
}

function findSynonym(name: string, unset: string[]): string | undefined {
  return SYNONYMS.map(([theirs, ours]) => name.replace(theirs, ours)).find((meant) => unset.includes(meant));
}
