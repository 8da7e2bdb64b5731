import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildForm } from '@/test/support/asset-client';
import { type Harness, startHarness } from '@/test/support/harness';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { describeApi } from './api-reference';
import type { ApiOperation, GuideSample } from './schema';
import type { Example } from './testing/examples';
import { runPython, runShell, runTypescript } from './testing/run-examples';

const CREDIT_MICROUSD = 20_000_000n;
/** Expected errors of examples that cannot succeed alone. */
const REFUSED: Record<string, string> = {
  // The claim token of the example does not exist.
  claimAccount: 'NOT_FOUND',
  // The payment of the example does not exist.
  issueInvoice: 'NOT_FOUND',
  // Responds with a payment challenge.
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
    role: 'web',
    listen: true,
    fakeStripe: true,
    env: { PROVISION_PER_HOUR: '100', MACHINE_PAYMENTS_SANDBOX: '1', ...UNLIMITED_RATES },
  });
  const { groups } = await describeApi(harness.baseUrl);
  // Deletions run last: other examples use the same objects.
  operations = groups
    .flatMap((group) => group.operations)
    .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
});
afterAll(async () => {
  await harness?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A separate account per language, with the objects that the paths name. */
async function createFixture() {
  const { key } = await harness.person(CREDIT_MICROUSD);
  const made = await harness.request('POST', '/v1/keys', { key });
  const job = await harness.request('POST', '/v1/tools/call', {
    key,
    headers: { prefer: 'wait=0' },
    json: { tool: 'diagnostics', skill: 'sleep', input: { seconds: 60 } },
  });
  const call = await harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.01 } },
  });
  const uploaded = await fetch(`${harness.baseUrl}/v1/assets/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: buildForm('hello'),
  });
  const { asset_id: assetId }: { asset_id: string } = await uploaded.json();
  const { body: endpoint } = await harness.request('POST', '/v1/webhooks', {
    key,
    json: { url: 'https://example.com/hooks', events: ['job.failed'] },
  });
  const delivery = await harness.request('POST', `/v1/webhooks/${endpoint.id}/test`, { key, json: {} });
  return {
    folder,
    env: {
      TOOL_GATEWAY_KEY: key,
      KEY_ID: made.body.id as string,
      JOB_ID: job.body.job_id as string,
      CALL_ID: call.body.id as string,
      ASSET_ID: assetId,
      WEBHOOK_ID: endpoint.id as string,
      DELIVERY_ID: delivery.body.id as string,
    },
  };
}

/** Cancels the job first, so that it has ended when it is read. */
function inOrder(label: string): { id: string; block: Example }[] {
  const sorted = [...operations].sort((a, b) => Number(b.id === 'cancelJob') - Number(a.id === 'cancelJob'));
  return sorted.flatMap(({ id, samples }) => {
    const sample = samples.find((candidate) => candidate.label === label);
    return sample ? [{ id, block: toExample(sample) }] : [];
  });
}

const toExample = ({ language, code }: GuideSample): Example => ({
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

it.skipIf(!hasShell)('the curl example of every route runs', async () => {
  const examples = inOrder('curl');
  expect(examples).toHaveLength(operations.length);
  const outputs = await runShell(
    examples.map(({ block }) => block),
    await createFixture(),
  );
  expectAnswers(
    examples.map(({ id }) => id),
    outputs,
  );
});

it('the TypeScript example of every route runs', async () => {
  const examples = inOrder('TypeScript');
  expect(examples).toHaveLength(operations.length);
  const outputs = await runTypescript(
    examples.map(({ block }) => block),
    await createFixture(),
  );
  expectAnswers(
    examples.map(({ id }) => id),
    outputs,
  );
});

it.skipIf(!hasPython)(
  'the Python example of every route runs, except for uploads, which have none',
  async () => {
    const examples = inOrder('Python').filter(({ id }) => REFUSED[id] === undefined);
    expect(examples).toHaveLength(operations.length - 1 - Object.keys(REFUSED).length);
    // A response that is not a success ends the program with an exception.
    await runPython(
      examples.map(({ block }) => block),
      await createFixture(),
    );
  },
);
