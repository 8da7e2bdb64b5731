/** The line that shows a progress event. */
export function formatProgress({ message, progress }: { message: string; progress?: number }): string {
  return progress === undefined ? message : `${Math.round(progress * 100)}%  ${message}`;
}
