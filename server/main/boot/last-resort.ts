import type { Logger } from '../../kit/log';

/**
 * What a connection, a stream or a compressed body fails with: it says nothing of the state of the
 * process.
 */
const CODES =
  /^(E(CONNRESET|CONNREFUSED|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|ADDRNOTAVAIL|NOTCONN|IO|AI_AGAIN|NOTFOUND)|ERR_(STREAM|HTTP|HTTP2|TLS|SSL|SOCKET|IPC)_\w+|UND_ERR_\w+|HPE_\w+|Z_\w+|ERR__ERROR_\w+|ERR_BROTLI\w*|ABORT_ERR)$/;
/**
 * By their stack: Node reads what a child process sends outside every `try`, and drops a wrong
 * message; an assertion of undici's parser concerns one connection.
 */
const FOREIGN_CODE =
  /parseChannelMessages|channel\.onread|undici[\w./-]*client-h[12]\.js|internal\/deps\/undici/;

interface Options {
  log(): Pick<Logger, 'error' | 'fatal'> | null;
  /** A short orderly attempt, then the end of the process. */
  end(): Promise<void>;
}

/**
 * For what nobody caught. A rejection ends nothing; an exception ends the process, unless it can
 * only have come from a connection, a stream or a message. The supervisor then starts it again
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
  // raises nothing: `write` catches, and `end` is caught
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

/** Whether an error that nobody caught leaves the state of the process sound. */
export function isHarmless(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && CODES.test(String(error.code))) return true;
  return FOREIGN_CODE.test(String(error.stack));
}
