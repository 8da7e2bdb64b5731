/** Codes of connection failures, from Node and the driver. */
const BROKEN_LINE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECTION_WAIT_TIMEOUT',
]);

/**
 * SQLSTATEs that do not depend on the request. Whole classes: 08 connection, 53 out of memory, disk
 * or connections, 58 system errors.
 */
const SERVER_CLASSES = new Set(['08', '53', '58']);
const SERVER_STATES = new Set([
  // The server is shutting down, has crashed, or is starting up; 57P05 is an idle session timeout.
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  // A statement or lock timeout.
  '57014',
  '55P03',
  // An idle-in-transaction timeout.
  '25P03',
  // Read-only: a standby, or switched to read-only because its disk is full.
  '25006',
  // Serialization failures and deadlocks: a retry may succeed.
  '40001',
  '40P01',
]);

/**
 * Whether the database is unavailable, at least temporarily: a retry of the request may succeed.
 */
export function isUnavailable(code: string): boolean {
  return BROKEN_LINE.has(code) || SERVER_STATES.has(code) || SERVER_CLASSES.has(code.slice(0, 2));
}
