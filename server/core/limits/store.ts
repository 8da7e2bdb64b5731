import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, integer } from '@/db/rows';

export interface WindowTake {
  taken: boolean;
  used: number;
  resetSeconds: number;
}

const windowRow = defineRow({ used: integer(), reset: integer() });

/** Takes one unit from a fixed window that starts at its first use. The row lock makes it exact. */
export async function takeFromWindow(
  tx: Executor,
  window: { scope: string; subject: string; quota: number; seconds: number },
): Promise<WindowTake> {
  const { scope, subject, quota, seconds } = window;
  const ended = sql`w.started_at + make_interval(secs => ${seconds}::int) <= now()`;
  const [row] = await windowRow.read(
    tx.execute(sql`
      insert into rate_windows as w (scope, subject, started_at, used) values (${scope}, ${subject}, now(), 1)
      on conflict (scope, subject) do update set
        started_at = case when ${ended} then now() else w.started_at end,
        used = case when ${ended} then 1 else least(w.used + 1, ${quota}::int + 1) end
      returning used,
        ceil(extract(epoch from started_at + make_interval(secs => ${seconds}::int) - now()))::int as reset`),
  );
  const used = row?.used ?? 1;
  return { taken: used <= quota, used: Math.min(used, quota), resetSeconds: row?.reset ?? seconds };
}

/** Takes further units in the transaction of the first, which showed that they are left. */
export async function takeMoreFromWindow(
  tx: Executor,
  { scope, subject, units }: { scope: string; subject: string; units: number },
): Promise<void> {
  await tx.execute(sql`
    update rate_windows set used = used + ${units}::int where scope = ${scope} and subject = ${subject}`);
}

/** Gives back one unit that was taken: what it limits did not happen after all. */
export async function returnToWindow(
  tx: Executor,
  { scope, subject }: { scope: string; subject: string },
): Promise<void> {
  await tx.execute(sql`
    update rate_windows set used = used - 1 where scope = ${scope} and subject = ${subject} and used > 0`);
}
