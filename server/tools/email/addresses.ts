import { z } from 'zod';

const MAX_ADDRESS_CHARS = 320;
/** `ada@example.com` or `Ada Lovelace <ada@example.com>`; no line breaks, no quotes, no second address. */
const ADDRESS =
  /^(?:[^<>@,;:"\\\p{Cc}]{1,100} <)?[^\s<>@,;:"()\\\p{Cc}]{1,64}@[^\s<>@,;:"()\\\p{Cc}]{1,253}\.[^\s<>@,;:"()\\\p{Cc}]{2,63}(>)?$/u;

/** Whether it is one mail address, with or without a name before it. */
export function isMailAddress(text: string): boolean {
  return ADDRESS.test(text) && text.includes('<') === text.endsWith('>');
}

/** One address of a mail; nothing that could begin another header. */
export const mailAddress = z
  .string()
  .trim()
  .max(MAX_ADDRESS_CHARS)
  .refine(isMailAddress, 'Write an address such as ada@example.com or Ada Lovelace <ada@example.com>.');

/** Text of a header: one line. */
export const headerText = (maxChars: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxChars)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'It must be one line without control characters.');
