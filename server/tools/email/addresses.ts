import { z } from 'zod';

const MAX_ADDRESS_CHARS = 320;
/**
 * `ada@example.com` or `Ada Lovelace <ada@example.com>`; no line breaks, quotes or second address.
 */
const ADDRESS =
  /^(?:[^<>@,;:"\\\p{Cc}]{1,100} <)?[^\s<>@,;:"()\\\p{Cc}]{1,64}@[^\s<>@,;:"()\\\p{Cc}]{1,253}\.[^\s<>@,;:"()\\\p{Cc}]{2,63}(>)?$/u;

/** Whether a text is a single email address, with or without a display name. */
export function isMailAddress(text: string): boolean {
  return ADDRESS.test(text) && text.includes('<') === text.endsWith('>');
}

/** A single email address that cannot inject another header. */
export const mailAddress = z
  .string()
  .trim()
  .max(MAX_ADDRESS_CHARS)
  .refine(isMailAddress, 'Write an address such as ada@example.com or Ada Lovelace <ada@example.com>.');

/** The value of a header: one line. */
export const headerText = (maxChars: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxChars)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'Use a single line without control characters.');
