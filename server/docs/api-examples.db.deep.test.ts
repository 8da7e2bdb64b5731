import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '../testing/harness';
import { describeApi } from './api-reference';
import type { ApiOperation, GuideSample } from './schema';
import type { Example } from './testing/examples';
import { runPython, runShell, runTypescript } from './testing/run-examples';

const CREDIT_MICROUSD = 20_000_000n;
/** What is answered where the example alone cannot be answered well. */
const REFUSED: Record<string, string> = {
  // The token of the example is nobody's.
  claimAccount: 'NOT_FOUND',
  // It is a challenge that one pays.
  machineTopUp: 'payment-required',
};
const hasShell = spawnSync('bash', ['-c', 'curl --version']).status === 0;
const hasPython = spawnSync('python3', ['--version']).status === 0;

let harness: Harness;
let folder: string;
let operations: ApiOperation[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-api-'));
  await writeFile(join(folder, 'notes.txt'), 'hello');
  harness = await startHarness({
    listen: true,
    standin: true,
    env: { PROVISION_PER_HOUR: '100', MACHINE_PAYMENTS_SANDBOX: '1', RATE_PER_MINUTE: '1000' },
  });
  const { groups } = await describeApi(harness.baseUrl);
  // What is removed goes last: others are about the same.
  operations = groups
    .flatMap((group) => group.operations)
    .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
});
afterAll(async () => {
  await harness?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A person of their own for each language, with the things that paths name. */
async function world() {
  const { key } = await harness.person(CREDIT_MICROUSD);
  const made = await harness.ask('POST', '/v1/keys', { key });
  const job = await harness.ask('POST', '/v1/tools/call', {
    key,
    headers: { prefer: 'wait=0' },
    json: { tool: 'diagnostics', skill: 'sleep', input: { seconds: 60 } },
  });
  return {
    folder,
    env: { TOOL_GATEWAY_KEY: key, KEY_ID: made.body.id as string, JOB_ID: job.body.job_id as string },
  };
}

/** The job still runs when it is cancelled, and has ended when it is asked for. */
function inOrder(label: string): { id: string; block: Example }[] {
  const sorted = [...operations].sort((a, b) => Number(b.id === 'cancelJob') - Number(a.id === 'cancelJob'));
  return sorted.flatMap(({ id, samples }) => {
    const sample = samples.find((candidate) => candidate.label === label);
    return sample ? [{ id, block: blockOf(sample) }] : [];
  });
}

const blockOf = ({ language, code }: GuideSample): Example => ({
  language,
  code,
  line: 0,
  answer: false,
  skip: null,
});

function expectAnswers(ids: readonly string[], outputs: readonly string[]): void {
  for (const [at, id] of ids.entries()) {
    const refusal = REFUSED[id];
    const came = outputs[at] ?? '';
    if (refusal) expect.soft(came, id).toContain(refusal);
    else expect.soft(came, id).not.toMatch(/^\s*\{\s*["']?status["']?: ?["']error["']/);
  }
}

it.skipIf(!hasShell)('every route’s curl command is answered', async () => {
  const examples = inOrder('curl');
  expect(examples).toHaveLength(operations.length);
  const outputs = await runShell(
    examples.map(({ block }) => block),
    await world(),
  );
  expectAnswers(
    examples.map(({ id }) => id),
    outputs,
  );
});

it('every route’s TypeScript is answered', async () => {
  const examples = inOrder('TypeScript');
  expect(examples).toHaveLength(operations.length);
  const outputs = await runTypescript(
    examples.map(({ block }) => block),
    await world(),
  );
  expectAnswers(
    examples.map(({ id }) => id),
    outputs,
  );
});

it.skipIf(!hasPython)('every route’s Python is answered, but for uploads, which have none', async () => {
  const examples = inOrder('Python').filter(({ id }) => REFUSED[id] === undefined);
  expect(examples).toHaveLength(operations.length - 1 - Object.keys(REFUSED).length);
  // An answer that is no success ends the program with an exception.
  await runPython(
    examples.map(({ block }) => block),
    await world(),
  );
});
