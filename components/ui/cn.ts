import { type ClassValue, clsx } from 'clsx';
import { mergeClasses } from './merge-classes';

/** Joins class names; a later utility wins over an earlier one that sets the same. */
export function cn(...classes: ClassValue[]): string {
  return mergeClasses(clsx(classes));
}
