import { z } from 'zod';

/** The maximum that REST grants to `Prefer: wait=N`. */
const MAX_WAIT_SECONDS = 30;

export const waitSecondsInput = z.int().min(0).max(MAX_WAIT_SECONDS).optional().describe('30 if omitted.');
