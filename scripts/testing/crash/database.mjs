// The PostgreSQL that a gateway under test embeds, seen from outside: its address, and its end.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';

/** Line of postmaster.pid that has the port, from 0. */
const PORT_LINE = 3;

/** @typedef {import('postgres').Sql} Sql */

/**
 * Where the embedded server of a data folder answers now; another port after each of its starts.
 * @param {string} dataDir
 */
export function embeddedDatabase(dataDir) {
  const home = join(dataDir, 'postgres');
  const { outside, gatewayPassword } = JSON.parse(readFileSync(join(home, 'cluster.json'), 'utf8'));
  const lines = readFileSync(join(outside ?? home, 'cluster/postmaster.pid'), 'utf8').split('\n');
  const port = Number(lines[PORT_LINE]);
  return {
    pid: Number(lines[0]),
    url: `postgres://gateway:${gatewayPassword}@127.0.0.1:${port}/gateway`,
  };
}

/**
 * A connection of the test's own, told apart from the gateway's by its name.
 * @param {string} url
 */
export function openDatabase(url) {
  return postgres(url, { max: 1, connection: { application_name: 'crash-test' }, onnotice: () => undefined });
}

/** Ends the server as a crash does: its backends find out by themselves. */
export function killPostgres(/** @type {string} */ dataDir) {
  process.kill(embeddedDatabase(dataDir).pid, 'SIGKILL');
}
