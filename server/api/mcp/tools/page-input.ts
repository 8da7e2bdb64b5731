import { z } from 'zod';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** The arguments of a list with pages. */
export const pageInput = {
  limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  cursor: z.string().min(1).max(200).optional().describe('next_cursor of the previous page.'),
};

/** Converts the arguments to the query of the REST route, where a limit is a text. */
export function readPage<Args extends { limit: number }>({ limit, ...args }: Args) {
  return { ...args, limit: String(limit) };
}
