import { editDistance } from '../../kit/edit-distance.mjs';
import { SETTINGS } from './settings-table';

/** Shorter names are close to too many others. */
const MIN_LENGTH = 7;
const MAX_DISTANCE = 2;

/** Finds variables such as `DATABSE_URL` that nearly match a setting which is not set itself. */
export function findLikelyTypos(env: NodeJS.ProcessEnv): { name: string; meant: string }[] {
  const ours = Object.keys(SETTINGS);
  const known = new Set(ours);
  const found: { name: string; meant: string }[] = [];
  for (const name of Object.keys(env)) {
    if (known.has(name) || name.length < MIN_LENGTH) continue;
    const meant = ours.find((each) => env[each] === undefined && isNear(name.toUpperCase(), each));
    if (meant) found.push({ name, meant });
  }
  return found;
}

function isNear(name: string, ours: string): boolean {
  if (ours.length < MIN_LENGTH || Math.abs(name.length - ours.length) > MAX_DISTANCE) return false;
  return editDistance(name, ours) <= MAX_DISTANCE;
}
