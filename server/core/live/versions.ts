import { LIVE_NAMES, type LiveName } from './schema';

/** A short hash for each name, which changes whenever the data does. */
export type Versions = Readonly<Record<LiveName, string>>;

const TOKEN = /^[0-9a-f]{1,32}(-[0-9a-f]{1,32}){2}$/;

/** Serializes the versions as the token that a client stores between connections. */
export function writeToken(versions: Versions): string {
  return LIVE_NAMES.map((name) => versions[name]).join('-');
}

/** Returns null for an invalid token: then everything may have changed. */
export function readToken(token: string | null | undefined): Versions | null {
  if (!token || !TOKEN.test(token)) return null;
  const [balance = '', calls = '', jobs = ''] = token.split('-');
  return { balance, calls, jobs };
}

/** The names that differ; all of them if the previous versions are unknown. */
export function changedNames(before: Versions | null, now: Versions): LiveName[] {
  return LIVE_NAMES.filter((name) => before?.[name] !== now[name]);
}
