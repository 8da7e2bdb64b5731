import type { Readable, Writable } from 'node:stream';
import { Client, escapeIdentifier } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

const CONNECT_TIMEOUT_MS = 10_000;

/** One connection in a transaction. */
export interface Tx {
  /**
   * With `values`, one statement; without, `text` may be several, and their rows are not returned.
   */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Streams the rows of `copy … to stdout`, with backpressure. */
  copyOut(text: string): Readable;
  /** Accepts the rows of `copy … from stdin`; it finishes once PostgreSQL has accepted them. */
  copyIn(text: string): Writable;
}

/**
 * Runs `work` in one transaction without time limit, through `pg`: postgres.js stops reading for
 * ever if a COPY fills its stream (docs/decisions/0040).
 */
export async function inTransaction<T>(
  databaseUrl: string,
  mode: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'tool-gateway',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // A broken connection fails its statement; without a listener it would also end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`begin ${mode}`);
    const result = await work({
      query: async (text, values) => (await client.query(text, values && [...values])).rows,
      copyOut: (text) => client.query(copyTo(text)),
      copyIn: (text) => client.query(copyFrom(text)),
    });
    await client.query('commit');
    return result;
  } finally {
    // Without a commit PostgreSQL rolls back; a running COPY is cut off.
    await client.end().catch(() => undefined);
  }
}

/** Quotes the name of a table. */
export function quoteTable({ schema, name }: { schema: string; name: string }): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
}

/** Quotes a list of columns. */
export function quoteColumns(columns: readonly string[]): string {
  return columns.map(escapeIdentifier).join(', ');
}
