import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The user that runs PostgreSQL if the gateway runs as root: PostgreSQL refuses root. */
export interface RunAs {
  uid: number;
  gid: number;
  name: string;
}

const CANDIDATES = ['postgres', '_postgres', 'nobody'];

/**
 * Chooses the user that runs PostgreSQL.
 * @param clusterDir an existing cluster keeps its owner, so it still opens after users were added
 *   or removed
 * @returns null if the gateway is not root: then PostgreSQL runs as the same user
 */
export function chooseRunAs(clusterDir: string): RunAs | null {
  if (process.getuid?.() !== 0) return null;
  const users = readUsers();
  const owner = getOwner(clusterDir);
  if (owner && owner.uid !== 0) {
    return users.find((user) => user.uid === owner.uid) ?? { ...owner, name: String(owner.uid) };
  }
  for (const name of CANDIDATES) {
    const user = users.find((each) => each.name === name && each.uid > 0);
    if (user) return user;
  }
  return null;
}

/** Whether the user may traverse every folder on the path, including the last. */
export function canTraverse(path: string, { uid, gid }: RunAs): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = statSync(folder);
    const needed = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if ((mode & needed) === 0) return false;
    if (dirname(folder) === folder) return true;
  }
}

function getOwner(path: string): { uid: number; gid: number } | null {
  try {
    const { uid, gid } = statSync(path);
    return { uid, gid };
  } catch {
    return null;
  }
}

function readUsers(): RunAs[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4 && !fields[0]?.startsWith('#'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}
