import { z } from 'zod';

/** In UTF-16 code units; about 40,000 words. */
export const MAX_TEXT_CHARS = 200_000;

/** The text that a skill processes. */
export const textInput = z.string().max(MAX_TEXT_CHARS);
