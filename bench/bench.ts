import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { checkBooks } from './books';
import { measure, type Sample } from './measure';
import { measureNeighbours } from './neighbours';
import type { Options } from './options';
import { benchPages } from './pages';
import { measurePeers } from './peers';
import { peersSection } from './peers-report';
import { profile } from './profile';
import { benchReads } from './reads/reads';
import { markdown } from './report';
import { searchSection } from './search';
import { measureSkills, skillsSection } from './skills';
import { openStage, type Stage } from './stage';
import { probeSync } from './sync-probe';

/** Runs the bench. @returns the exit code */
export async function bench(root: string, options: Options): Promise<number> {
  if (options.search) {
    console.log(searchSection(root));
    return 0;
  }
  if (options.reads) return await benchReads(root, options.reads);
  if (options.pages !== null) return await benchPages(root, options.pages, options.requests);
  const results = join(root, 'bench/results');
  await mkdir(results, { recursive: true });
  const stage = await openStage(root);
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= stage.close();
    return closing;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void close().finally(() => process.exit(130)));
  try {
    if (options.skills) await skills(stage, options, results);
    else if (options.peers) await peers(stage, options, root, results);
    else if (options.profile) await profileTarget(stage, options, results);
    else await table(stage, options, root, results);
    return 0;
  } catch (error) {
    console.error(`\nThe bench was aborted: ${error instanceof Error ? error.message : error}`);
    return 1;
  } finally {
    await close();
  }
}

async function profileTarget(stage: Stage, options: Options, results: string): Promise<void> {
  const target = stage.targets.find(({ name }) => name === options.profile);
  if (!target) throw new Error('Unknown target');
  await profile(stage, target, options, results);
}

/** Measures the upstream directly, through the gateway and through peers; then checks the books. */
async function peers(stage: Stage, options: Options, root: string, results: string): Promise<void> {
  const measured = await measurePeers(stage, options, root);
  const wrong = await checkBooks(stage.databaseUrl, measured.records);
  if (wrong.length > 0) throw new Error(`The books are wrong:\n${wrong.join('\n')}`);
  const text = `# Peers\n\n${peersSection(measured)}\n`;
  console.log(`\n${text}`);
  const name = join(results, `${new Date().toISOString().replace(/[:.]/g, '-').slice(0, 19)}-peers`);
  await writeFile(`${name}.md`, text);
  await writeFile(`${name}.json`, `${JSON.stringify({ options, ...measured }, null, 1)}\n`);
}

/** Measures skills; then checks the books. */
async function skills(stage: Stage, options: Options, results: string): Promise<void> {
  const { samples, records } = await measureSkills(stage, options);
  const wrong = await checkBooks(stage.databaseUrl, records);
  if (wrong.length > 0) throw new Error(`The books are wrong:\n${wrong.join('\n')}`);
  const text = `# Skills\n\n${skillsSection(samples)}\n`;
  console.log(`\n${text}`);
  const name = join(results, `${new Date().toISOString().replace(/[:.]/g, '-').slice(0, 19)}-skills`);
  await writeFile(`${name}.md`, text);
  await writeFile(`${name}.json`, `${JSON.stringify({ options, samples }, null, 1)}\n`);
}

async function table(stage: Stage, options: Options, root: string, results: string): Promise<void> {
  const durability = await stage.meters.durability();
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes'])
    if (durability[name] !== 'on')
      throw new Error(`${name} is ${durability[name]}: the results would be meaningless`);
  const { samples, answered: inRounds } = await allRounds(stage, options);
  progress('an echo call during five calculations');
  const neighbours = await measureNeighbours(stage, options);
  const answered = inRounds + (neighbours?.records ?? 0);
  const wrong = await checkBooks(stage.databaseUrl, answered);
  if (wrong.length > 0) throw new Error(`The books are wrong:\n${wrong.join('\n')}`);
  const environment = {
    node: process.version,
    postgres: durability.version ?? '',
    cores: availableParallelism(),
    durability: 'fsync, synchronous_commit and full_page_writes on',
    syncUs: await probeSync(results),
    billedCalls: answered,
  };
  const text = `${markdown(samples, neighbours, options, environment)}\n${searchSection(root)}\n`;
  console.log(`\n${text}`);
  const name = join(results, new Date().toISOString().replace(/[:.]/g, '-').slice(0, 19));
  await writeFile(`${name}.md`, text);
  await writeFile(
    `${name}.json`,
    `${JSON.stringify({ environment, options, samples, neighbours }, null, 1)}\n`,
  );
  console.log(`\nWritten to ${name}.md and .json`);
}

/** Runs a warm-up and then the rounds, each of which starts with another target. */
async function allRounds(stage: Stage, options: Options): Promise<{ samples: Sample[]; answered: number }> {
  const targets = stage.targets.filter((target) => options.targets.includes(target.name));
  const samples: Sample[] = [];
  let answered = 0;
  for (const connections of options.connections) {
    for (let round = -1; round < options.rounds; round++) {
      const warmup = round < 0;
      progress(`${connections} connections, ${warmup ? 'warm-up' : `round ${round + 1}/${options.rounds}`}`);
      for (let i = 0; i < targets.length; i++) {
        const target = targets[(i + Math.max(0, round)) % targets.length];
        if (!target) continue;
        const seconds = warmup ? options.warmupSeconds : options.seconds;
        const sample = await measure(stage, target, connections, seconds);
        answered += sample.calls * target.records;
        if (!warmup) samples.push({ ...sample, round });
      }
    }
  }
  return { samples, answered };
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
