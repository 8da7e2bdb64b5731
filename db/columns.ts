import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

/** Money: a bigint of micro-dollars. The column's name ends in `_microusd`. */
export const microusd = () => bigint({ mode: 'bigint' });

/** A timestamp in UTC with microseconds. The column's name ends in `_at`. */
export const instant = () => timestamp({ withTimezone: true, mode: 'date' });

/** Raw bytes, for hashes. */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });
