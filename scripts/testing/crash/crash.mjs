// The tests that need whole processes: what is lost when they die, and whether two of them agree.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bringSecrets, findSecrets } from '../gateway-secrets.mjs';
import { createAccount } from './accounts.mjs';
import { runBoundary } from './boundary.mjs';
import { Checks } from './checks.mjs';
import { runCrawlKill } from './crawl-kill.mjs';
import { startPair } from './gateway-pair.mjs';
import { runKillTest } from './kill-test.mjs';
import { runReloadKill } from './reload-kill.mjs';
import { runSupervised } from './supervised.mjs';
import { runTwoProcesses } from './two-processes.mjs';
import { runWaitingPolls } from './waiting-polls.mjs';

const logs = fileURLToPath(new URL('../../../test-results/crash', import.meta.url));

/** The wait of a request in the second process: sixty times shorter than by default. */
const WAIT_SECONDS = 0.5;

/** @returns {Promise<import('../acceptance.mjs').Count>} */
export async function runCrash() {
  mkdirSync(logs, { recursive: true });
  const checks = new Checks();
  console.log('\n  Two processes on one database');
  await testPair(checks);
  console.log('\n  Nothing is lost when a process dies');
  await runKillTest(checks, (log) => keepLog('killed', log));
  console.log('\n  A reload is charged once when its process dies');
  await runReloadKill(checks, (log) => keepLog('reloads', log));
  console.log('\n  A crawl goes on where it was when its process died');
  await runCrawlKill(checks, (log) => keepLog('crawl', log));
  console.log('\n  npm start answers again after a crash');
  await runSupervised(checks, (log) => keepLog('supervised', log));
  const { passed, failed, failures } = checks;
  return { passed, failed, skipped: 0, notes: [], failures };
}

/** @param {Checks} checks */
async function testPair(checks) {
  const pair = await startPair(WAIT_SECONDS);
  try {
    await runTwoProcesses(checks, pair);
    console.log('\n  200 waiting polls');
    await runWaitingPolls(checks, pair);
    console.log('\n  The boundary between an answer and a job');
    await runBoundary(checks, pair, WAIT_SECONDS);
    const secrets = await bringSecretsTo(pair);
    for (const gateway of [pair.first, pair.second])
      checks.holds('no secret is in its log, the database or its files', await findSecrets(gateway, secrets));
  } finally {
    keepLog('first', pair.first.log());
    keepLog('second', pair.second.log());
    await pair.stop();
  }
}

/**
 * Secrets that both processes have seen.
 * @param {import('./gateway-pair.mjs').GatewayPair} pair
 */
async function bringSecretsTo({ first, second }) {
  const [key = ''] = (await createAccount(first, 'secrets', { keys: 1, creditUsd: 1 })).keys;
  return [...(await bringSecrets(first.baseUrl, key)), ...(await bringSecrets(second.baseUrl, key))];
}

/**
 * @param {string} name
 * @param {string} text
 */
function keepLog(name, text) {
  writeFileSync(join(logs, `${name}.log`), text);
}
