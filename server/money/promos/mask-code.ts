const SHOWN = 2;

/** A code for those who may see that it exists, but not redeem or pass it on: `SP••••`. */
export function maskCode(code: string): string {
  return `${code.slice(0, SHOWN)}••••`;
}
