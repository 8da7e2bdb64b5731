import type { Session } from './session.js';
import { Interrupted, usageError } from './usage-error.js';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const BACKSPACES = ['\u0008', '\u007f'];
const MAX_CHARS = 4_096;

/** Asks on standard error and reads a line. @throws GatewayError USAGE where nobody is there to answer */
export async function ask(session: Session, question: string): Promise<string> {
  return (await readLine(session, question, false)).trim();
}

/** The same, and what is typed is not shown. */
export async function askHidden(session: Session, question: string): Promise<string> {
  return await readLine(session, question, true);
}

async function readLine({ terminal }: Session, question: string, hidden: boolean): Promise<string> {
  const { stdin, stderr } = terminal;
  if (!stdin.isTTY || !stdin.setRawMode)
    throw usageError('There is no terminal to ask on.', 'Give --base-url, and the key with --key-stdin.');
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
