import { NO_ERROR_CODE } from '@/server/usage/limits';

/** An error code as pages show it. */
export function codeWords(code: string): string {
  return code === NO_ERROR_CODE ? 'No code recorded' : code;
}
