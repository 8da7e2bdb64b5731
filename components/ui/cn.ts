import { type ClassValue, clsx } from 'clsx';
import { mergeClasses } from './merge-classes';

/** Joins class names. A later utility overrides an earlier one for the same property. */
export function cn(...classes: ClassValue[]): string {
  return mergeClasses(clsx(classes));
}
