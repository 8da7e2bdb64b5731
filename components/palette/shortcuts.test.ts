import { describe, expect, it } from 'vitest';
import { ShortcutReader } from './shortcuts';

const press = { key: '', command: false, alt: false, typing: false, atMs: 0 };

describe('ShortcutReader', () => {
  it('navigates on g and a letter, only within the time limit', () => {
    const reader = new ShortcutReader();
    expect(reader.read({ ...press, key: 'g' }, true)).toBeNull();
    expect(reader.read({ ...press, key: 'u', atMs: 500 }, true)).toEqual({ kind: 'go', letter: 'u' });
    expect(reader.read({ ...press, key: 'u', atMs: 600 }, true)).toBeNull();
    reader.read({ ...press, key: 'g', atMs: 1_000 }, true);
    expect(reader.read({ ...press, key: 'u', atMs: 9_000 }, true)).toBeNull();
  });

  it('forgets the g after any other input', () => {
    const reader = new ShortcutReader();
    reader.read({ ...press, key: 'g' }, true);
    reader.read({ ...press, key: 'Escape' }, true);
    expect(reader.read({ ...press, key: 'u' }, true)).toBeNull();
    reader.read({ ...press, key: 'g' }, true);
    expect(reader.read({ ...press, key: 'u', typing: true }, true)).toBeNull();
    expect(reader.read({ ...press, key: 'u' }, true)).toBeNull();
  });

  it('ignores single keys while typing, with Control or Alt, and when they are switched off', () => {
    const reader = new ShortcutReader();
    for (const key of ['/', '?', 'g']) {
      expect(reader.read({ ...press, key, typing: true }, true)).toBeNull();
      expect(reader.read({ ...press, key, command: true }, true)).toBeNull();
      expect(reader.read({ ...press, key, alt: true }, true)).toBeNull();
      expect(reader.read({ ...press, key }, false)).toBeNull();
    }
    expect(reader.read({ ...press, key: '/' }, true)).toEqual({ kind: 'search' });
    expect(reader.read({ ...press, key: '?' }, true)).toEqual({ kind: 'help' });
  });

  it('opens the palette even while typing', () => {
    const reader = new ShortcutReader();
    for (const typing of [true, false])
      for (const singleKeys of [true, false])
        for (const key of ['k', 'K'])
          expect(reader.read({ ...press, key, command: true, typing }, singleKeys)).toEqual({
            kind: 'palette',
          });
    expect(reader.read({ ...press, key: 'k' }, true)).toBeNull();
  });
});
