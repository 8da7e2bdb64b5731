/** How the line to the database breaks, in the words of Node and of the driver. */
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
 * SQLSTATEs that say nothing about the request: whole classes (08 connection, 53 out of memory, disk or connections, 58
 * trouble of the system, XX of the server itself), and single ones.
 */
const SERVER_CLASSES = new Set(['08', '53', '58']);
const SERVER_STATES = new Set([
  // It stops, has crashed, or is starting.
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  // A statement or a lock took longer than a request may take.
  '57014',
  '55P03',
  // A transaction stood still for so long that it was ended.
  '25P03',
  // It takes no writes: a standby, or set so because its disk is full.
  '25006',
  // Two at once: sent again, it may well succeed.
  '40001',
  '40P01',
]);

/** Whether the database could not answer, or not now: the same request may succeed later. */
export function isUnavailable(code: string): boolean {
  return BROKEN_LINE.has(code) || SERVER_STATES.has(code) || SERVER_CLASSES.has(code.slice(0, 2));
}
