import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../testing/harness';
import { GUIDE_LIST } from './guide-list';
import { readDocument } from './read-guides';
import { compareAnswer } from './testing/compare-answer';
import { type Example, examplesIn, RUN_LANGUAGES } from './testing/examples';
import { runPython, runShell, runTypescript } from './testing/run-examples';

/** Every document whose examples are promised to run. */
const DOCUMENTS = [...GUIDE_LIST.map(({ file }) => file)];

const CREDIT_MICROUSD = 20_000_000n;
const hasShell = works('bash', 'curl --version');
const hasPython = works('bash', 'python3 -c "import urllib.request"');

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({
    listen: true,
    standin: true,
    env: { PROVISION_PER_HOUR: '100', PROVISION_PER_DAY: '100', MACHINE_PAYMENTS_SANDBOX: '1' },
  });
});

afterAll(() => harness?.close());

describe.each(DOCUMENTS)('%s', (file) => {
  it.skipIf(!hasShell)(`runs as it stands${hasShell ? '' : ' (skipped: no bash or curl here)'}`, async () => {
    const examples = examplesIn(await readDocument(file, harness.baseUrl));
    const { key } = await harness.person(CREDIT_MICROUSD);
    const folder = await mkdtemp(join(tmpdir(), 'gateway-guide-'));
    // Some are about what lies in the project.
    for (const name of ['scripts', 'node_modules'])
      await symlink(join(process.cwd(), name), join(folder, name));
    const options = { folder, env: { TOOL_GATEWAY_KEY: key, KEY: key } };
    try {
      const outputs = new Map<Example, string>();
      const keep = (blocks: Example[], came: string[]) => {
        for (const [at, block] of blocks.entries()) outputs.set(block, came[at] ?? '');
      };
      const shell = runnable(examples, 'sh');
      keep(shell, await runShell(shell, options));
      const typescript = [...runnable(examples, 'ts'), ...runnable(examples, 'js')];
      keep(typescript, await runTypescript(typescript, options));
      const python = hasPython ? runnable(examples, 'python') : [];
      keep(python, await runPython(python, options));
      expect(wrongAnswers(examples, outputs)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

it('says why an example is not run, and of few', async () => {
  const skipped: string[] = [];
  for (const file of DOCUMENTS)
    for (const { language, skip, answer } of examplesIn(await readDocument(file, harness.baseUrl))) {
      if (!RUN_LANGUAGES.has(language) || answer) continue;
      if (skip !== null) skipped.push(`${file}: ${skip}`);
    }
  expect(skipped).toMatchInlineSnapshot();
});

function runnable(examples: readonly Example[], language: string): Example[] {
  return examples.filter(
    (example) => example.language === language && example.skip === null && !example.answer,
  );
}

/** An answer belongs to the block above it, and to its twins in other languages. */
function wrongAnswers(examples: readonly Example[], outputs: ReadonlyMap<Example, string>): string[] {
  const wrong: string[] = [];
  let above: Example[] = [];
  for (const [at, example] of examples.entries()) {
    if (!example.answer) {
      const last = examples[at - 1];
      const twin =
        last && !last.answer && last.language !== example.language && RUN_LANGUAGES.has(last.language);
      above = twin ? [...above, example] : [example];
      continue;
    }
    for (const block of above) {
      const came = outputs.get(block);
      if (came === undefined) continue;
      for (const difference of compareAnswer(example.language, example.code, came))
        wrong.push(`line ${example.line}, ${block.language} of line ${block.line}: ${difference}`);
    }
  }
  return wrong;
}

function works(shell: string, command: string): boolean {
  return spawnSync(shell, ['-c', command], { stdio: 'ignore' }).status === 0;
}
