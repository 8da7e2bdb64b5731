import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { arrayLiteral } from './array-literal';
import { createSocketFactory } from './database-socket';
import { POOL_BOUNDS, type PoolBounds } from './pool-bounds';
import { QueryWatch } from './query-watch';
import * as accounts from './schema/accounts';
import * as assets from './schema/assets';
import * as audit from './schema/audit';
import * as auth from './schema/auth';
import * as calls from './schema/calls';
import * as contents from './schema/contents';
import * as credentials from './schema/credentials';
import * as idempotency from './schema/idempotency';
import * as imports from './schema/imports';
import * as jobs from './schema/jobs';
import * as keys from './schema/keys';
import * as ledger from './schema/ledger';
import * as oauth from './schema/oauth';
import * as operator from './schema/operator';
import * as payments from './schema/payments';
import * as receipts from './schema/receipts';
import * as retention from './schema/retention';
import * as reviews from './schema/reviews';
import * as teams from './schema/teams';
import * as webhooks from './schema/webhooks';

export const schema = {
  ...accounts,
  ...assets,
  ...audit,
  ...auth,
  ...calls,
  ...contents,
  ...credentials,
  ...idempotency,
  ...imports,
  ...jobs,
  ...keys,
  ...ledger,
  ...oauth,
  ...operator,
  ...payments,
  ...receipts,
  ...retention,
  ...reviews,
  ...teams,
  ...webhooks,
};

export type Sql = postgres.Sql<{ bigint: bigint }>;
/** The tag of a pool, or of one of its transactions. */
export type SqlTag = postgres.ISql<{ bigint: bigint }>;
export type Database = PostgresJsDatabase<typeof schema>;
/** A database or transaction: the parameter of store functions. */
export type Executor = Pick<Database, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;

/** Ends the transaction of a stalled process, which releases its locks. */
const IDLE_IN_TRANSACTION_MS = 30_000;
const CONNECT_SECONDS = 5;
/** The driver's own backoff grows to 20 s, which delays the recovery after an outage. */
const LONGEST_BACKOFF_SECONDS = 0.5;

/** Formats parameters that are arrays. Arrays in rows are text, which Drizzle parses. */
const ARRAY = {
  to: 1009,
  // boolean, name, smallint, integer, text, varchar, bigint, real, double precision: each as array
  from: [1000, 1003, 1005, 1007, 1009, 1015, 1016, 1021, 1022],
  serialize: (value: unknown) => (Array.isArray(value) ? arrayLiteral(value) : value),
  parse: (text: string) => text,
};

interface PoolOptions {
  /** For commands: their statements have no time limit. */
  patient?: boolean;
  bounds?: Readonly<PoolBounds> | undefined;
}

interface Pool {
  sql: Sql;
  db: Database;
  /** Connections in use, and statements waiting for one. */
  counts(): { running: number; waiting: number };
  /** Closes the listening connection. It reconnects, and its listeners learn of possible losses. */
  dropListener(): void;
  close(): Promise<void>;
}

/**
 * Opens a pool on one PostgreSQL, with time limits for every wait (docs/decisions/0031).
 * @param url a postgres:// URL
 * @param max limit of connections
 */
export function connect(
  url: string,
  max: number,
  { patient = false, bounds = POOL_BOUNDS }: PoolOptions = {},
): Pool {
  const sockets = createSocketFactory();
  const options = {
    max,
    connect_timeout: CONNECT_SECONDS,
    backoff: (retries: number) => Math.min(LONGEST_BACKOFF_SECONDS, 0.02 * 2 ** retries),
    idle_timeout: 60,
    onnotice: () => {},
    // The driver reads them without awaiting the statement: a connection that is cut then leaves an
    // unhandled rejection, and its first statement waits forever.
    fetch_types: false,
    types: { bigint: postgres.BigInt, array: ARRAY },
    // Supported by the driver, but missing in its types.
    socket: sockets.create,
    connection: {
      application_name: 'tool-gateway',
      ...(patient
        ? {}
        : {
            statement_timeout: bounds.statementMs,
            idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
          }),
    },
  };
  const driver = postgres(url, options);
  const watch = patient ? null : new QueryWatch(max, sockets.open.pool, bounds);
  const sql = watch ? watch.watch(driver) : driver;
  return {
    sql,
    db: drizzle(sql, { schema, casing: 'snake_case' }),
    counts: () => watch?.counts ?? { running: 0, waiting: 0 },
    dropListener() {
      for (const socket of [...sockets.open.listening]) socket.destroy();
    },
    async close() {
      watch?.close();
      await driver.end({ timeout: 5 });
    },
  };
}
