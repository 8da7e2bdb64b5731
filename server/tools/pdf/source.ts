import { z } from 'zod';
import { fileInput } from '../sdk/file-schemas';
import type { SkillContext } from '../sdk/skill-context';
import { MAX_INPUT_BYTES } from './limits.mjs';
import { PAGES_PATTERN } from './page-ranges.mjs';

const MAX_PAGES_CHARS = 500;
const MAX_PASSWORD_CHARS = 127;

export const pdfField = fileInput('The PDF, at most 30 MiB.', 'application/pdf');

export const pagesText = z
  .string()
  .max(MAX_PAGES_CHARS)
  .regex(PAGES_PATTERN, 'Use page numbers and ranges, such as 1-3,5,8- (8- goes to the end).');

export const passwordField = z
  .string()
  .min(1)
  .max(MAX_PASSWORD_CHARS)
  .optional()
  .describe('Password of an encrypted PDF.');

/** What merge and split report about the documents. */
export const pageWarnings = z
  .array(z.string())
  .optional()
  .describe('What could not be kept, such as signatures or attached files; empty if there is none.');

/** Opens the PDF of a file input. */
export async function openPdf({ files }: Pick<SkillContext<unknown>, 'files'>, reference: string) {
  return await files.open(reference, { maxBytes: MAX_INPUT_BYTES });
}

/** Returns a filename without its extension. */
export function toFileStem(filename: string): string {
  return filename.replace(/\.[^.]*$/, '').slice(0, 80) || 'document';
}
