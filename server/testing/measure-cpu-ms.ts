/** CPU milliseconds that this process uses while `work` runs; other load does not affect them. */
export async function measureCpuMs(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
