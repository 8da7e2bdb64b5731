// Kills the gateway at random moments, and now and then its database.
import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('./mortal-gateway.mjs').MortalGateway} MortalGateway */

export const KILLS = 10;
/** With this kill of the process its database is killed too. */
const WITH_DATABASE = 4;
/** After this one the database is killed alone. */
const DATABASE_ALONE_AFTER = 7;
const LIFE_MS = { least: 900, most: 4000 };
/** What the supervisor and the pools get to find each other again. */
const DATABASE_RETURNS_MS = 4000;
const LOOK_MS = 200;
const SECOND_LOSS_MS = 20_000;

/** @param {MortalGateway} gateway */
export async function killOften(gateway) {
  /** @type {Set<string>} */
  const lostTwice = new Set();
  for (let kill = 1; kill <= KILLS; kill++) {
    await sleep(LIFE_MS.least + Math.random() * (LIFE_MS.most - LIFE_MS.least));
    // A queued call that dies with three processes is given up, as the likely cause: these must not be taken for it.
    await untilEnded(gateway, lostTwice);
    for (const id of await secondAttempts(gateway)) lostTwice.add(id);
    await gateway.dieAndReturn({ withDatabase: kill === WITH_DATABASE });
    if (kill !== DATABASE_ALONE_AFTER) continue;
    await sleep(LIFE_MS.least);
    gateway.killDatabase();
    await sleep(DATABASE_RETURNS_MS);
  }
}

/** @param {MortalGateway} gateway */
async function secondAttempts({ sql }) {
  const rows = await sql`select id from jobs where queued and finished_at is null and attempts >= 2`;
  return rows.map(({ id }) => String(id));
}

/**
 * @param {MortalGateway} gateway
 * @param {Set<string>} ids
 */
async function untilEnded(gateway, ids) {
  for (const end = performance.now() + SECOND_LOSS_MS; performance.now() < end; await sleep(LOOK_MS)) {
    const [row] = await gateway.sql`
      select count(*)::int as running from jobs where id = any(${[...ids]}) and finished_at is null`;
    if (row?.running === 0) return;
  }
}
