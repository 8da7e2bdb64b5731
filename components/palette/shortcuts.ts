/** The action of a key pressed outside of fields. */
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
  /** Whether the target is a field or an open dialog. */
  typing: boolean;
  atMs: number;
}

/** Time limit for the letter after `g`. */
const CHORD_MS = 1_500;

/**
 * Maps key presses to shortcuts. Single keys work only outside of fields and can be switched off.
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

/** Whether a key press belongs to a text field, or to an open dialog, menu or list. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest(
      'input:not([type=radio], [type=checkbox], [type=button]), textarea, select, [contenteditable=true], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]',
    ) !== null
  );
}
