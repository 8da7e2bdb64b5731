// SIGHUP has two senders: a terminal that closes, and a person who asks for a restart.
import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

const hadTerminal = isatty(0);

/** Whether the terminal that started this process has been closed. */
export function hasLostTerminal() {
  if (!hadTerminal) return false;
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return false;
  } catch {
    return true;
  }
}
