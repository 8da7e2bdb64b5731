/** Whether a later request could succeed, so that the input is not the cause of this status. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}
