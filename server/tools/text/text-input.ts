import { z } from 'zod';

/** UTF-16 units of a text; about forty thousand words. */
export const MAX_TEXT_CHARS = 200_000;

/** The text a skill works on. */
export const textInput = z.string().max(MAX_TEXT_CHARS);
