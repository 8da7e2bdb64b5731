import { BootError } from '../../platform/process/boot-error';
import { SettingsError } from '../../platform/settings/settings';

/** Formats a failed start. Our own errors are written for people; for others the stack helps. */
export function formatStartError(error: unknown): string {
  if (error instanceof BootError || error instanceof SettingsError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
