/** A backup could not be made or restored; the message says what the operator must do. */
export class BackupError extends Error {}

/** Errors that the operator can act on, in plain words; others keep their own message. */
const REASONS: Record<string, string> = {
  ENOSPC: 'there is no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would exceed the size limit of the process or the file system',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ECONNREFUSED: 'PostgreSQL refused the connection',
  ECONNRESET: 'the connection to PostgreSQL was lost',
  EPIPE: 'the connection to PostgreSQL was lost',
};

/**
 * Turns any failure into one sentence.
 * @param outcome the state it leaves behind: "No backup was written"
 */
export function toBackupError(outcome: string, cause: unknown): BackupError {
  if (cause instanceof BackupError) return cause;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const message = cause instanceof Error ? cause.message : String(cause);
  const [firstLine = ''] = message.split('\n');
  return new BackupError(`${outcome}: ${REASONS[code] ?? firstLine.replace(/\.$/, '')}.`, { cause });
}
