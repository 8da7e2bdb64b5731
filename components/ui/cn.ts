import { type ClassValue, clsx } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

/** Our own text sizes and shadow, so that `text-sm text-muted` are not taken for rivals. */
const merge = extendTailwindMerge({
  extend: { classGroups: { shadow: [{ shadow: ['pop'] }] } },
});

/** Joins class names; a later utility wins over an earlier one of its group. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
