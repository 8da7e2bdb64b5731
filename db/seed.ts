import postgres from 'postgres';

/** Months of usage made ahead of time, at every start and by every sweep. */
export const USAGE_MONTHS_AHEAD = 3;

/**
 * Fills a migrated database with what every gateway needs. Runs at every start, so it must change nothing twice.
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
