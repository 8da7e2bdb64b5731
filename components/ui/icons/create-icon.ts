import { type ComponentProps, createElement, type ReactElement } from 'react';

export type IconComponent = (props: ComponentProps<'svg'>) => ReactElement;
type Shape = readonly [tag: string, attributes: Readonly<Record<string, string>>];

const LINES = {
  width: 24,
  height: 24,
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

/** Creates the component of an icon. Assistive technology ignores it, unless it has a label. */
export function createIcon(shapes: readonly Shape[]): IconComponent {
  return (props) => {
    const children = shapes.map(([tag, attributes]) => createElement(tag, attributes));
    return createElement('svg', { ...LINES, 'aria-hidden': !props['aria-label'], ...props }, ...children);
  };
}
