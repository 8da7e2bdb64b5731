// Tries everything a confined process must not be able to do, and reports what succeeded.
// Started only by probe-layer.ts.
import { accessSync, constants, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {() => unknown} attempt */
function succeeds(attempt) {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

function readNetwork() {
  try {
    return readlinkSync('/proc/self/ns/net');
  } catch {
    return '';
  }
}

/**
 * @type {{ secrets: string[], parent: { pid: number, words: string, network: string },
 *   scratch: string, root: string }}
 */
// Cannot throw: the gateway wrote it
const given = JSON.parse(process.argv[2] ?? '{}');

const status = () => readFileSync('/proc/self/status', 'utf8');
const files = given.secrets.some((path) => succeeds(() => readFileSync(path)));
// Compares content, because inside a namespace the same pid may belong to another process.
const processes = succeeds(() => {
  if (readFileSync(`/proc/${given.parent.pid}/cmdline`, 'utf8') !== given.parent.words)
    throw new Error('Another');
});
const environment = processes && succeeds(() => readFileSync(`/proc/${given.parent.pid}/environ`));
const network = readNetwork() === given.parent.network;
// A setting of the kernel counts as a file: core_pattern names a program that root runs.
const writing = [given.root, '/proc/sys/kernel/core_pattern'].some((path) =>
  succeeds(() => accessSync(path, constants.W_OK)),
);
const scratch = succeeds(() =>
  writeFileSync(join(given.scratch, 'probe'), readdirSync(given.scratch).join()),
);
const privileges = !succeeds(() => {
  if (!/^NoNewPrivs:\s*1$/m.test(status()) || !/^CapEff:\s*0+$/m.test(status()))
    throw new Error('It has them');
});

process.stdout.write(
  JSON.stringify({ files, environment, processes, writing, scratch, network, privileges }),
);
