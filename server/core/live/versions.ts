import { LIVE_NAMES, type LiveName } from './schema';

/** A short text for each name that is another one whenever what it stands for has changed. */
export type Versions = Readonly<Record<LiveName, string>>;

const TOKEN = /^[0-9a-f]{1,32}(-[0-9a-f]{1,32}){2}$/;

/** As a client keeps it between two connections. */
export function writeToken(versions: Versions): string {
  return LIVE_NAMES.map((name) => versions[name]).join('-');
}

/** Null where it is none of ours: then everything may have changed. */
export function readToken(token: string | null | undefined): Versions | null {
  if (!token || !TOKEN.test(token)) return null;
  const [balance = '', calls = '', jobs = ''] = token.split('-');
  return { balance, calls, jobs };
}

/** What differs; everything, where nothing is known of before. */
export function changedNames(before: Versions | null, now: Versions): LiveName[] {
  return LIVE_NAMES.filter((name) => before?.[name] !== now[name]);
}
