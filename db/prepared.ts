import { PgDialect } from 'drizzle-orm/pg-core';
import type { Executor, Sql } from './client';

const DIALECT = new PgDialect({ casing: 'snake_case' });

/**
 * Runs Drizzle's SQL as prepared statements, which PostgreSQL parses and plans once per connection.
 * Only for large, frequent statements that always use the same index: the plan may become generic.
 */
export function withPreparedStatements(sql: Sql): Pick<Executor, 'execute'> {
  const execute = (query: Parameters<PgDialect['sqlToQuery']>[0]) => {
    const { sql: text, params } = DIALECT.sqlToQuery(query);
    return sql.unsafe(text, params as never[], { prepare: true });
  };
  return { execute: execute as unknown as Executor['execute'] };
}
