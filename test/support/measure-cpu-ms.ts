/** CPU milliseconds that this process uses while `work` runs; other load does not affect them. */
export async function measureCpuMs(work: () => unknown): Promise<number> {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
