import postgres from 'postgres';

/** Months for which partitions are created ahead, at every start and by every sweep. */
export const USAGE_MONTHS_AHEAD = 3;

/**
 * Adds the data that every gateway needs to a migrated database. Runs at every start, so it must be
 * idempotent.
 * @param url the database
 */
export async function seed(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await sql`select create_usage_months(${USAGE_MONTHS_AHEAD})`;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
