import type { Logger } from '../../kit/log';

/** Errors of a connection, stream or compressed body, which do not affect the process's state. */
const CODES =
  /^(E(CONNRESET|CONNREFUSED|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|ADDRNOTAVAIL|NOTCONN|IO|AI_AGAIN|NOTFOUND)|ERR_(STREAM|HTTP|HTTP2|TLS|SSL|SOCKET|IPC)_\w+|UND_ERR_\w+|HPE_\w+|Z_\w+|ERR__ERROR_\w+|ERR_BROTLI\w*|ABORT_ERR)$/;
/**
 * Matched in stacks: Node reads a child's messages outside of any `try` and drops invalid ones; an
 * assertion of undici's parser concerns one connection.
 */
const FOREIGN_CODE =
  /parseChannelMessages|channel\.onread|undici[\w./-]*client-h[12]\.js|internal\/deps\/undici/;

interface Options {
  log(): Pick<Logger, 'error' | 'fatal'> | null;
  /** Attempts a short orderly shutdown, then exits the process. */
  end(): Promise<void>;
}

/**
 * Handles uncaught errors. Rejections are only logged. An exception ends the process, unless it can
 * only come from a connection, a stream or a message; the supervisor then restarts it
 * (docs/decisions/0039).
 */
export function installLastResort({ log, end }: Options): void {
  let ending = false;
  const write = (level: 'error' | 'fatal', event: string, error: unknown) => {
    try {
      const logger = log();
      if (logger) logger[level](event, { error });
      else console.error(event, error);
    } catch {
      console.error(event);
    }
  };
  process.on('unhandledRejection', (error) => write('error', 'process.unhandled_rejection', error));
  // Cannot throw: `write` catches, and the rejection of `end` is handled
  process.on('uncaughtException', (error) => {
    if (isHarmless(error)) return write('error', 'process.uncaught_exception_survived', error);
    write('fatal', 'process.uncaught_exception', error);
    if (ending) return;
    ending = true;
    end().catch((failure) => {
      write('error', 'process.end_failed', failure);
      process.exit(1);
    });
  });
}

/** Whether the process's state is intact after this uncaught error. */
export function isHarmless(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && CODES.test(String(error.code))) return true;
  return FOREIGN_CODE.test(String(error.stack));
}
