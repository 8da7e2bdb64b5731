import type { Session } from './session.js';
import { Interrupted, usageError } from './usage-error.js';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const BACKSPACES = ['\u0008', '\u007f'];
const MAX_CHARS = 4_096;

/**
 * Prompts on standard error and reads a line from the terminal.
 * @throws GatewayError USAGE when standard input is not a terminal
 * @throws Interrupted on Ctrl-C or end of input
 */
export async function promptLine(session: Session, question: string): Promise<string> {
  return (await readLine(session, question, false)).trim();
}

/** Like `promptLine`, without echoing the input. */
export async function promptHidden(session: Session, question: string): Promise<string> {
  return await readLine(session, question, true);
}

async function readLine({ terminal }: Session, question: string, hidden: boolean): Promise<string> {
  const { stdin, stderr } = terminal;
  if (!stdin.isTTY || !stdin.setRawMode)
    throw usageError(
      'Cannot prompt: standard input is not a terminal.',
      'Pass --base-url, and pipe the key with --key-stdin.',
    );
  stderr.write(question);
  stdin.setRawMode(true);
  try {
    return await new Promise<string>((resolve, reject) => {
      let line = '';
      const read = (chunk: Buffer | string) => {
        for (const char of String(chunk)) {
          if (char === '\r' || char === '\n') return finish(() => resolve(line));
          if (char === CTRL_C || char === CTRL_D) return finish(() => reject(new Interrupted()));
          if (BACKSPACES.includes(char)) {
            if (!hidden && line !== '') stderr.write('\b \b');
            line = line.slice(0, -1);
          } else if (char >= ' ' && line.length < MAX_CHARS) {
            line += char;
            if (!hidden) stderr.write(char);
          }
        }
      };
      const ended = () => finish(() => reject(new Interrupted()));
      const finish = (then: () => void) => {
        stdin.off('data', read).off('end', ended).pause();
        then();
      };
      stdin.on('data', read).on('end', ended).resume();
    });
  } finally {
    stdin.setRawMode(false);
    stderr.write('\n');
  }
}
