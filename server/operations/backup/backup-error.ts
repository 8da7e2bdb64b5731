/**
 * A backup that cannot be made or restored; the message is for the operator, and says what to do.
 */
export class BackupError extends Error {}

/** What the operator can act on, in plain words; for all others the error's own message is used. */
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
 * Any failure as one sentence.
 * @param outcome what is true now: "No backup was written"
 */
export function toBackupError(outcome: string, cause: unknown): BackupError {
  if (cause instanceof BackupError) return cause;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const message = cause instanceof Error ? cause.message : String(cause);
  const [firstLine = ''] = message.split('\n');
  return new BackupError(`${outcome}: ${REASONS[code] ?? firstLine.replace(/\.$/, '')}.`, { cause });
}
