import type { KeyboardEvent } from 'react';

/** Where an arrow key leads among these; Home and End too, unless they belong to the text that is being typed. */
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

/** The next one whose words begin with the letter that was pressed. */
export function typeAhead(event: KeyboardEvent, links: readonly HTMLElement[]): HTMLElement | undefined {
  if (event.altKey || event.ctrlKey || event.metaKey || !/^\S$/u.test(event.key)) return undefined;
  const letter = event.key.toLowerCase();
  const at = links.findIndex((link) => link.matches(':focus'));
  const round = [...links.slice(at + 1), ...links.slice(0, at + 1)];
  return round.find((link) => link.textContent?.trim().toLowerCase().startsWith(letter));
}
