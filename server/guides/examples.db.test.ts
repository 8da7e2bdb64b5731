import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../testing/harness';
import { GUIDE_LIST } from './guide-list';
import { readDocument } from './read-guides';
import { compareAnswer } from './testing/compare-answer';
import { type Example, examplesIn, RUN_LANGUAGES } from './testing/examples';
import { runPython, runShell, runTypescript } from './testing/run-examples';

/** Of the README only this: the rest is about a checkout of its own. */
const FIRST_CALL = 'README.md, First call in a minute';

/** Every document whose examples are promised to run. */
const DOCUMENTS = [
  ...GUIDE_LIST.map(({ file }) => file),
  'docs/agents/llms.md',
  'docs/agents/skill.md',
  FIRST_CALL,
];

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
    const examples = examplesIn(await read(file));
    const { key } = await harness.person(CREDIT_MICROUSD);
    const folder = await mkdtemp(join(tmpdir(), 'gateway-guide-'));
    // Some are about what lies in the project.
    for (const name of ['scripts', 'node_modules'])
      await symlink(join(process.cwd(), name), join(folder, name));
    const options = { folder, env: { TOOL_GATEWAY_KEY: key, KEY: key, PATH: await commandsIn(folder) } };
    try {
      const outputs = new Map<Example, string>();
      const keep = (blocks: Example[], came: string[]) => {
        for (const [at, block] of blocks.entries()) outputs.set(block, came[at] ?? '');
      };
      const typescript = [...runnable(examples, 'ts'), ...runnable(examples, 'js')];
      const python = hasPython ? runnable(examples, 'python') : [];
      const shell = runnable(examples, 'sh');
      await Promise.all([
        runShell(shell, options).then((came) => keep(shell, came)),
        runTypescript(typescript, options).then((came) => keep(typescript, came)),
        runPython(python, options).then((came) => keep(python, came)),
      ]);
      expect(wrongAnswers(examples, outputs)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

it('says why an example is not run, and of few', async () => {
  const skipped: string[] = [];
  for (const file of DOCUMENTS)
    for (const { language, skip, answer } of examplesIn(await read(file))) {
      if (!RUN_LANGUAGES.has(language) || answer) continue;
      if (skip !== null) skipped.push(`${file}: ${skip}`);
    }
  expect(skipped).toMatchInlineSnapshot(`
    [
      "docs/machine-payment.md: needs the stand-in's pages; scripts/pay-topup.db.test.ts runs the same",
      "docs/machine-payment.md: needs the stand-in's pages; scripts/pay-topup.db.test.ts runs the same",
      "docs/guides/byok.md: needs a key of the provider, and asks it",
      "docs/guides/teams.md: needs a team of yours",
      "docs/guides/importing.md: needs a server to import",
      "docs/guides/importing.md: needs a service to import",
      "docs/guides/importing.md: needs an imported tool",
      "docs/guides/importing.md: needs an imported tool and its key",
    ]
  `);
});

async function read(file: string): Promise<string> {
  if (file !== FIRST_CALL) return await readDocument(file, harness.baseUrl);
  const readme = await readDocument('README.md', harness.baseUrl);
  const from = readme.indexOf('## First call in a minute');
  return readme.slice(from, readme.indexOf('\n## ', from + 1));
}

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

/** The command line of clients/cli under its name, from its source. */
async function commandsIn(folder: string): Promise<string> {
  const main = join(process.cwd(), 'clients/cli/src/main.ts');
  const script = `#!/bin/sh\nexec '${process.execPath}' --import '${import.meta.resolve('tsx')}' '${main}' "$@"\n`;
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/tool-gateway'), script, { mode: 0o755 });
  return `${join(folder, 'bin')}:${process.env.PATH}`;
}

function works(shell: string, command: string): boolean {
  return spawnSync(shell, ['-c', command], { stdio: 'ignore' }).status === 0;
}
