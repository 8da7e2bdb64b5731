/** What a key that is pressed outside every field asks for. */
export type KeyAct =
  | { kind: 'palette' }
  | { kind: 'search' }
  | { kind: 'help' }
  | { kind: 'go'; letter: string };

interface KeyPress {
  key: string;
  /** Control, or Command on a Mac. */
  command: boolean;
  alt: boolean;
  /** In a field, or in a dialog that is open. */
  typing: boolean;
  atMs: number;
}

/** How long after `g` the letter may come. */
const CHORD_MS = 1_500;

/**
 * Reads the keyboard shortcuts of the dashboard. Single keys count only where nothing is being typed and while the person
 * has not switched them off.
 */
export class ShortcutReader {
  private goSince = Number.NEGATIVE_INFINITY;

  read({ key, command, alt, typing, atMs }: KeyPress, singleKeys: boolean): KeyAct | null {
    if (command && !alt && key.toLowerCase() === 'k') return { kind: 'palette' };
    if (command || alt || typing || !singleKeys) {
      this.goSince = Number.NEGATIVE_INFINITY;
      return null;
    }
    const going = atMs - this.goSince < CHORD_MS;
    this.goSince = Number.NEGATIVE_INFINITY;
    if (going && /^[a-z]$/.test(key)) return { kind: 'go', letter: key };
    if (key === 'g') this.goSince = atMs;
    if (key === '/') return { kind: 'search' };
    return key === '?' ? { kind: 'help' } : null;
  }
}

/** Whether a key that is pressed here is text, or belongs to a dialog, a menu or a list that is open. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest(
      'input:not([type=radio], [type=checkbox], [type=button]), textarea, select, [contenteditable=true], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]',
    ) !== null
  );
}
