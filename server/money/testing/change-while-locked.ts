import type { Harness } from '@/test/support/harness';

/**
 * Changes an account and commits only once `act` waits for its row lock, so that what `act` read
 * before is stale.
 * @param change the SET clause in SQL
 */
export async function changeWhileLocked<T>(
  { runtime }: Harness,
  accountId: string,
  change: string,
  act: () => Promise<T>,
): Promise<T> {
  const waiting = () => runtime.sql`select 1 from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and query like '%"accounts"%for no key update%'`;
  let acting: Promise<T> | undefined;
  await runtime.sql.begin(async (sql) => {
    await sql.unsafe(`update accounts set ${change} where id = $1`, [accountId]);
    let ended = false;
    acting = act().finally(() => {
      ended = true;
    });
    // No time limit here: the test has one.
    while ((await waiting()).length === 0)
      if (ended) {
        await acting;
        throw new Error('The action ended without waiting for the row lock of the account');
      }
  });
  return await (acting as Promise<T>);
}
