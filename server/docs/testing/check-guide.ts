import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createTestServer } from '@/test/support/test-server';
import { compareResponse, findUnexpectedErrors } from './compare-response';
import { readGuide } from './documents';
import { type Example, parseExamples, RUN_LANGUAGES } from './examples';
import { runPython, runShell, runTypescript } from './run-examples';

const CREDIT_MICROUSD = 20_000_000n;
const hasShell = works('bash', 'curl --version');
const hasPython = works('bash', 'python3 -c "import urllib.request"');

/** Defines a test per document: all examples run and produce the documented responses. */
export function describeGuides(documents: readonly string[]): void {
  let harness: Harness;
  let receiverPort: number;

  beforeAll(async () => {
    receiverPort = await findFreePort();
    harness = await startHarness({
      role: 'web',
      listen: true,
      fakeStripe: true,
      env: {
        PROVISION_PER_HOUR: '100',
        PROVISION_PER_DAY: '100',
        MACHINE_PAYMENTS_SANDBOX: '1',
        OUTBOUND_ALLOW: `localhost:${receiverPort}`,
        PAY_PER_CALL: '1',
      },
    });
  });

  afterAll(() => harness?.close());

  describe.each(documents)('%s', (file) => {
    it.skipIf(!hasShell)(`runs unchanged${hasShell ? '' : ' (skipped: no bash or curl here)'}`, () =>
      checkGuide(harness, file, receiverPort),
    );
  });
}

/** @param receiverPort replaces the port on which an example receives webhooks */
async function checkGuide(harness: Harness, file: string, receiverPort: number): Promise<void> {
  const guide = await readGuide(file, harness.baseUrl);
  const examples = parseExamples(guide.replaceAll('8787', String(receiverPort)));
  const { key } = await harness.person(CREDIT_MICROUSD);
  const folder = await mkdtemp(join(tmpdir(), 'gateway-guide-'));
  // Some examples use files of the project.
  for (const name of ['scripts', 'node_modules'])
    await symlink(join(process.cwd(), name), join(folder, name));
  const options = { folder, env: { TOOL_GATEWAY_KEY: key, KEY: key, PATH: await commandsIn(folder) } };
  try {
    const outputs = new Map<Example, string>();
    const saveOutputs = (blocks: Example[], came: string[]) => {
      for (const [at, block] of blocks.entries()) outputs.set(block, came[at] ?? '');
    };
    const typescript = [...runnable(examples, 'ts'), ...runnable(examples, 'js')];
    const python = hasPython ? runnable(examples, 'python') : [];
    const shell = runnable(examples, 'sh');
    await Promise.all([
      runShell(shell, options).then((came) => saveOutputs(shell, came)),
      runTypescript(typescript, options).then((came) => saveOutputs(typescript, came)),
      runPython(python, options).then((came) => saveOutputs(python, came)),
    ]);
    expect([...findDifferences(examples, outputs), ...findErrors(examples, outputs)]).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runnable(examples: readonly Example[], language: string): Example[] {
  return examples.filter(
    (example) => example.language === language && example.skip === null && !example.answer,
  );
}

/** A response belongs to the block above it and to the same example in other languages. */
function findDifferences(examples: readonly Example[], outputs: ReadonlyMap<Example, string>): string[] {
  const wrong: string[] = [];
  let above: Example[] = [];
  for (const [at, example] of examples.entries()) {
    if (!example.answer) {
      const last = examples[at - 1];
      const isAlternative =
        last && !last.answer && last.language !== example.language && RUN_LANGUAGES.has(last.language);
      above = isAlternative ? [...above, example] : [example];
      continue;
    }
    for (const block of above) {
      const came = outputs.get(block);
      if (came === undefined) continue;
      for (const difference of compareResponse(example.language, example.code, came))
        wrong.push(`line ${example.line}, ${block.language} of line ${block.line}: ${difference}`);
    }
  }
  return wrong;
}

/** An example that fails must have its error in a response below it, or name the code itself. */
function findErrors(examples: readonly Example[], outputs: ReadonlyMap<Example, string>): string[] {
  return [...outputs].flatMap(([block, came]) => {
    const rest = examples.slice(examples.indexOf(block) + 1);
    const next = rest.findIndex(({ answer, language }) => !answer && language === block.language);
    const answers = (next < 0 ? rest : rest.slice(0, next)).filter(({ answer }) => answer);
    const documented = [block, ...answers].map(({ code }) => code).join('\n');
    return findUnexpectedErrors(came, documented).map(
      (code) => `${block.language} of line ${block.line}: the answer is the error ${code}`,
    );
  });
}

/** Installs the command line client from its source under its name. */
async function commandsIn(folder: string): Promise<string> {
  const main = join(process.cwd(), 'clients/cli/src/main.ts');
  const script = `#!/bin/sh\nexec '${process.execPath}' --import '${import.meta.resolve('tsx')}' '${main}' "$@"\n`;
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/tool-gateway'), script, { mode: 0o755 });
  return `${join(folder, 'bin')}:${process.env.PATH}`;
}

async function findFreePort(): Promise<number> {
  const server = createTestServer();
  await new Promise<void>((ready) => {
    server.listen(0, 'localhost', ready);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

function works(shell: string, command: string): boolean {
  return spawnSync(shell, ['-c', command], { stdio: 'ignore' }).status === 0;
}
