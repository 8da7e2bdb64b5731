import { BackupError } from './backup-error';
import { readBackup } from './backup-file';
import { isSameDigest, TableDigest } from './table-digest';

/**
 * Reads a backup to its end and checks its hashes, before anything is restored.
 * @throws BackupError that names the damaged table, if the damage is in one
 */
export async function verifyBackup(path: string): Promise<void> {
  let table: string | null = null;
  let digest = new TableDigest();
  try {
    for await (const frame of readBackup(path)) {
      if ('data' in frame) {
        if (table !== null) digest.add(frame.data);
      } else if (typeof frame.json.table === 'string') {
        table = frame.json.table;
        digest = new TableDigest();
      } else if (table !== null) {
        if (!isSameDigest(digest.end(), frame.json.table_end)) throw new Error('The digest does not match');
        table = null;
      }
    }
  } catch (cause) {
    if (table === null) throw cause;
    // A damaged name could contain control characters for the operator's terminal.
    const name = /^[\w.]{1,100}$/.test(table) ? `the table ${table}` : 'one of its tables';
    throw new BackupError(
      `Nothing was restored: the file ${path} is damaged in ${name}. Use another copy of it.`,
      { cause },
    );
  }
}
