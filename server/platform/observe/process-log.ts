import { createLogger, type Logger, type LogLevel } from '../../kit/log';
import { LineSink } from './line-sink';
import { formatReadableLine } from './readable-line';

/** The log of this process, and the sink to flush before the process exits. */
export interface ProcessLog {
  readonly log: Logger;
  readonly sink: LineSink;
}

interface ProcessLogOptions {
  level: LogLevel;
  /** Formats lines for a terminal instead of a log collector. */
  readable: boolean;
  /** Whether each line has the id of this process: several of them write to one log. */
  pid?: boolean;
}

/** Logs to standard error. A reader that stops or closes neither blocks nor ends the process. */
export function createProcessLog({ level, readable, pid }: ProcessLogOptions): ProcessLog {
  const shown = readable ? formatReadableLine : (line: string) => line;
  const sink = new LineSink({ formatDropped: (count) => shown(formatDroppedLine(count)) });
  const log = createLogger((line) => sink.write(shown(line)), { level, pid });
  // Cannot throw: flushNow catches the errors of a write
  process.once('exit', () => sink.flushNow());
  return { log, sink };
}

function formatDroppedLine(count: number): string {
  let line = '';
  const write = (text: string) => {
    line = text;
  };
  createLogger(write).warn('log.lines_dropped', { count });
  return line;
}

/** Keeps a closed standard stream from ending the process; what is written to it is lost. */
export function surviveClosedStreams(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
