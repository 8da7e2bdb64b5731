export type Side = 'top' | 'right' | 'bottom' | 'left';

const GAP_PX = 6;
const MARGIN_PX = 8;
const OPPOSITE: Record<Side, Side> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' };

/**
 * Positions a fixed element at a side of another, or at the opposite side without room, always
 * inside the window.
 */
export function positionNextTo(element: HTMLElement, anchor: HTMLElement, side: Side): void {
  const { width, height } = element.getBoundingClientRect();
  const at = anchor.getBoundingClientRect();
  const window = {
    width: document.documentElement.clientWidth,
    height: document.documentElement.clientHeight,
  };
  const room: Record<Side, number> = {
    top: at.top - height,
    bottom: window.height - at.bottom - height,
    left: at.left - width,
    right: window.width - at.right - width,
  };
  const chosen = room[side] < GAP_PX && room[OPPOSITE[side]] > room[side] ? OPPOSITE[side] : side;
  const middle = { x: at.left + (at.width - width) / 2, y: at.top + (at.height - height) / 2 };
  const corner = {
    top: { x: middle.x, y: at.top - height - GAP_PX },
    bottom: { x: middle.x, y: at.bottom + GAP_PX },
    left: { x: at.left - width - GAP_PX, y: middle.y },
    right: { x: at.right + GAP_PX, y: middle.y },
  }[chosen];
  element.style.left = `${within(corner.x, window.width - width)}px`;
  element.style.top = `${within(corner.y, window.height - height)}px`;
}

function within(value: number, most: number): number {
  return Math.max(MARGIN_PX, Math.min(value, most - MARGIN_PX));
}
