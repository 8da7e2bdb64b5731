import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

/** Money: a bigint of micro-dollars. The column's name ends in `_microusd`. */
export const microusd = () => bigint({ mode: 'bigint' });

/** An instant, to the microsecond, in UTC. The column's name ends in `_at`. */
export const instant = () => timestamp({ withTimezone: true, mode: 'date' });

/** Raw bytes, for hashes. */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });
