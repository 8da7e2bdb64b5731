/** Next calls this once when the process starts: what must exist once hangs on the slot that serve.mjs reads too. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { fillGatewaySlot } = await import('./server/main/fill-gateway-slot');
  fillGatewaySlot();
}
