import type { Harness } from './harness';

/**
 * Passes the next statement with this text, or each one, to `handle`, which may send it, and whose
 * result is the response.
 * @param send sends the statement, the first time that it is called
 * @returns a function that ends the interception
 */
export function interceptStatement(
  { runtime }: Pick<Harness, 'runtime'>,
  text: string,
  handle: (send: () => Promise<unknown[]>) => Promise<unknown[]>,
  { each = false }: { each?: boolean } = {},
): () => void {
  const { sql } = runtime;
  let count = 0;
  const intercepting = new Proxy(sql, {
    apply(query, self, args: [TemplateStringsArray]) {
      const statement = Reflect.apply(query, self, args);
      if ((count > 0 && !each) || !args[0]?.join?.('').includes(text)) return statement;
      count += 1;
      return handle(() => statement.then((rows: unknown[]) => rows));
    },
  });
  Object.assign(runtime, { sql: intercepting });
  return () => Object.assign(runtime, { sql });
}

/** The error of a statement whose connection broke before its response arrived. */
export function connectionReset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
}

/**
 * Breaks the connection after PostgreSQL has carried out the next statement with this text, or each
 * one, before its response arrives. @returns a function that restores the connection
 */
export function loseResponse(
  harness: Pick<Harness, 'runtime'>,
  text: string,
  options: { each?: boolean } = {},
): () => void {
  return interceptStatement(
    harness,
    text,
    async (send) => {
      await send();
      throw connectionReset();
    },
    options,
  );
}
