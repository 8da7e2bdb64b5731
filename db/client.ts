import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import * as accounts from './schema/accounts';
import * as assets from './schema/assets';
import * as audit from './schema/audit';
import * as auth from './schema/auth';
import * as calls from './schema/calls';
import * as credentials from './schema/credentials';
import * as idempotency from './schema/idempotency';
import * as imports from './schema/imports';
import * as jobs from './schema/jobs';
import * as keys from './schema/keys';
import * as ledger from './schema/ledger';
import * as oauth from './schema/oauth';
import * as payments from './schema/payments';
import * as retention from './schema/retention';
import * as reviews from './schema/reviews';
import * as teams from './schema/teams';

export const schema = {
  ...accounts,
  ...assets,
  ...audit,
  ...auth,
  ...calls,
  ...credentials,
  ...idempotency,
  ...imports,
  ...jobs,
  ...keys,
  ...ledger,
  ...oauth,
  ...payments,
  ...retention,
  ...reviews,
  ...teams,
};

export type Sql = postgres.Sql<{ bigint: bigint }>;
export type Database = PostgresJsDatabase<typeof schema>;
/** A database or a transaction of it: what a store's functions take. */
export type Executor = Pick<Database, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;

/**
 * A pool on one PostgreSQL.
 * @param url a postgres:// address
 * @param max the most connections it opens
 */
export function connect(url: string, max: number): { sql: Sql; db: Database; close(): Promise<void> } {
  const sql = postgres(url, {
    max,
    connect_timeout: 10,
    idle_timeout: 60,
    onnotice: () => {},
    types: { bigint: postgres.BigInt },
    connection: { application_name: 'tool-gateway' },
  });
  return { sql, db: drizzle(sql, { schema, casing: 'snake_case' }), close: () => sql.end({ timeout: 5 }) };
}
