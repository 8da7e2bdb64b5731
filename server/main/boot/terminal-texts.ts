/** Where texts for the person who started a process are shown. */
export interface Screen {
  /** Whether it is a terminal, whose Ctrl-C reaches the process. */
  isTerminal: boolean;
  columns: number;
}

const DEFAULT_COLUMNS = 80;

export function getScreen({ isTTY, columns }: NodeJS.WriteStream = process.stdout): Screen {
  return { isTerminal: isTTY === true, columns: columns || DEFAULT_COLUMNS };
}

export function describeStop({ isTerminal }: Screen): string {
  return isTerminal ? 'Press Ctrl-C to stop.' : 'Send SIGTERM to stop.';
}

/** For after the first signal. */
export function describeStopping({ isTerminal }: Screen): string {
  return isTerminal
    ? 'Stopping… Press Ctrl-C again to quit now.'
    : 'Stopping: running calls finish first. A second signal quits now.';
}

/** Breaks a text into lines at its spaces. Pure. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
