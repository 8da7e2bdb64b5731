/**
 * Whether the same address may well answer later, so that the input is not to blame for this
 * status.
 */
export function mayPass(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}
