import type { KeyboardEvent } from 'react';

/** The link that an arrow key, Home or End leads to, unless the key belongs to a text field. */
export function stepTo(
  event: KeyboardEvent,
  links: readonly HTMLElement[],
  typing: boolean,
): HTMLElement | undefined {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined;
  const at = links.findIndex((link) => link.matches(':focus'));
  const last = links.length - 1;
  if (event.key === 'ArrowDown') return links[Math.min(last, at + 1)];
  if (event.key === 'ArrowUp') return links[at === -1 ? last : Math.max(0, at - 1)];
  if (typing) return undefined;
  if (event.key === 'Home') return links[0];
  return event.key === 'End' ? links[last] : undefined;
}

/** The next link with a word that starts with the pressed letter. */
export function typeAhead(event: KeyboardEvent, links: readonly HTMLElement[]): HTMLElement | undefined {
  if (event.altKey || event.ctrlKey || event.metaKey || !/^\S$/u.test(event.key)) return undefined;
  const letter = event.key.toLowerCase();
  const at = links.findIndex((link) => link.matches(':focus'));
  const round = [...links.slice(at + 1), ...links.slice(0, at + 1)];
  return round.find((link) => link.textContent?.trim().toLowerCase().startsWith(letter));
}
