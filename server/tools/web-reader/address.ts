import { z } from 'zod';

const MAX_ADDRESS_CHARS = 2_048;

/** An http(s) URL; a host without a scheme becomes https. */
export function addressInput(description: string) {
  return z
    .string()
    .trim()
    .min(1)
    .max(MAX_ADDRESS_CHARS)
    .transform((text) =>
      /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[\w.-]+:\d+(\/|$)/.test(text) ? text : `https://${text}`,
    )
    .refine((text) => /^https?:/i.test(text) && URL.canParse(text), 'Must be an http(s) URL')
    .meta({ description, format: 'uri' });
}
