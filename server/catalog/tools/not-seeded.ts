import { sql } from 'drizzle-orm';

/** The condition on roll-ups and records that leaves out calls made up by `usage seed`. */
export const NOT_SEEDED = sql`key_id not in (select id from api_keys where seeded)`;
