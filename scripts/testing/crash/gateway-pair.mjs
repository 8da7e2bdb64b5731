// Two processes of the gateway on one database, as behind a load balancer.
import { randomBytes } from 'node:crypto';
import { startGateway } from '../gateway.mjs';
import { embeddedDatabase, openDatabase } from './database.mjs';

/** Both seal, sign and derive with the same. */
const SECRETS = ['AUTH_SECRET', 'VAULT_KEY', 'CLAIM_SECRET'];

/**
 * @typedef {object} GatewayPair
 * @property {import('../gateway.mjs').TestGateway} first whose PostgreSQL both use
 * @property {import('../gateway.mjs').TestGateway} second
 * @property {import('./database.mjs').Sql} sql
 * @property {() => Promise<void>} stop
 */

/**
 * @param {number} secondWaits how many seconds a request waits in the second; in the first it is the default
 * @returns {Promise<GatewayPair>}
 */
export async function startPair(secondWaits) {
  const secrets = Object.fromEntries(SECRETS.map((name) => [name, randomBytes(32).toString('base64')]));
  const first = await startGateway(secrets);
  const { url } = embeddedDatabase(String(first.env.DATA_DIR));
  const sql = openDatabase(url);
  const end = async () => {
    await sql.end({ timeout: 1 });
    await first.stop();
  };
  try {
    const own = { DATABASE_URL: url, WAIT_SECONDS: String(secondWaits) };
    const second = await startGateway({ ...secrets, ...own });
    const stop = async () => {
      await second.stop();
      await end();
    };
    return { first, second, sql, stop };
  } catch (error) {
    await end();
    throw error;
  }
}
