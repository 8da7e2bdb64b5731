import { createLogger, type Logger, type LogLevel } from '../../kit/log';
import { LineSink } from './line-sink';
import { readableLine } from './readable-line';

/** The log of this process, and how to have all of it written before it ends. */
export interface ProcessLog {
  readonly log: Logger;
  readonly sink: LineSink;
}

interface ProcessLogOptions {
  level: LogLevel;
  /** For a person at a terminal instead of a program. */
  readable: boolean;
}

/**
 * Lines on standard error. Whoever reads it may stop or go: neither holds up nor ends the process.
 */
export function createProcessLog({ level, readable }: ProcessLogOptions): ProcessLog {
  const shown = readable ? readableLine : (line: string) => line;
  const sink = new LineSink({ tellDropped: (count) => shown(droppedLine(count)) });
  const log = createLogger((line) => sink.write(shown(line)), { level });
  // raises nothing: flushNow catches what a write fails with
  process.once('exit', () => sink.flushNow());
  return { log, sink };
}

function droppedLine(count: number): string {
  let line = '';
  const write = (text: string) => {
    line = text;
  };
  createLogger(write).warn('log lines were dropped: nobody took them', { count });
  return line;
}

/**
 * A reader of the standard streams that has gone must not end the process: what is written then is
 * lost, no more.
 */
export function surviveClosedStreams(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
