/** What this process computed while `work` ran, in milliseconds. Of the clock, others take their part on a busy machine. */
export async function computedMs(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
