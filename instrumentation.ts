/** Called by Next once at startup. Fills the process-wide objects that serve.mjs reads as well. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { fillProcessSingleton } = await import('./server/main/fill-process-singleton');
  fillProcessSingleton();
}
