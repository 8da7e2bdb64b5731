// Executes the instructions of the Dockerfile without Docker, each stage in a folder of its own.
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { reapLater, root } from '../fixtures/processes';
import { copyContext, type Instruction, readDockerfile } from './read-dockerfile';

const Command = z.array(z.string());
const SHOWN_STDERR_CHARS = 800;
const WITHOUT_EFFECT = ['ARG', 'EXPOSE', 'VOLUME', 'STOPSIGNAL'];

export interface Image {
  /** Root of its file system. */
  folder: string;
  workdir: string;
  env: Record<string, string>;
  user: number | null;
  command: string[];
  health: string[];
}

interface BuildOptions {
  scratch: string;
  /** Installs and builds, instead of using the packages and the build of this checkout. */
  full: boolean;
}

/** Builds all stages. @returns the last one */
export async function buildImage({ scratch, full }: BuildOptions): Promise<Image> {
  const stages = new Map<string, Image>();
  let stage: Image | undefined;
  for (const instruction of readDockerfile(join(root, 'Dockerfile'))) {
    if (instruction.name === 'FROM') {
      const name = instruction.words[2] ?? `stage-${stages.size}`;
      stage = createStage(join(scratch, name));
      stages.set(name, stage);
    } else if (stage) await execute(stage, instruction, stages, full);
    else throw new Error(`${instruction.name} before FROM`);
  }
  if (!stage) throw new Error('The Dockerfile has no stage');
  return stage;
}

function createStage(folder: string): Image {
  mkdirSync(folder);
  return { folder, workdir: '/', env: {}, user: null, command: [], health: [] };
}

function resolveInStage({ folder, workdir }: Image, path: string): string {
  return join(folder, path.startsWith('/') ? path : join(workdir, path));
}

async function execute(
  stage: Image,
  { name, words, text }: Instruction,
  stages: Map<string, Image>,
  full: boolean,
): Promise<void> {
  if (name === 'WORKDIR') {
    stage.workdir = String(words[0]);
    mkdirSync(resolveInStage(stage, '.'), { recursive: true });
  } else if (name === 'ENV') {
    const [key = '', ...value] = text.split('=');
    stage.env[key] = value.join('=');
  } else if (name === 'USER') stage.user = Number(words[0]?.split(':')[0]);
  else if (name === 'CMD') stage.command = Command.parse(JSON.parse(text));
  else if (name === 'HEALTHCHECK')
    stage.health = Command.parse(JSON.parse(text.slice(text.indexOf('CMD ') + 4)));
  else if (name === 'COPY') await copy(stage, words, stages);
  else if (name === 'RUN') await run(stage, text, full);
  else if (!WITHOUT_EFFECT.includes(name)) throw new Error(`The instruction ${name} is not supported`);
}

async function copy(stage: Image, words: string[], stages: Map<string, Image>): Promise<void> {
  const from = words[0]?.startsWith('--from=') ? stages.get(words[0].slice(7)) : undefined;
  const paths = words.filter((word) => !word.startsWith('--'));
  const to = resolveInStage(stage, String(paths.pop()));
  const intoFolder = paths.length > 1 || String(words.at(-1)).endsWith('/');
  for (const path of paths) {
    if (!from) {
      copyContext(root, path, to);
      continue;
    }
    const source = join(from.folder, path);
    if (!existsSync(source)) throw new Error(`COPY: ${path} does not exist in the stage`);
    const target = intoFolder ? join(to, String(path.split('/').at(-1))) : to;
    mkdirSync(dirname(target), { recursive: true });
    // Hard links are enough: nothing writes to these files.
    await runShell(`cp -al ${source} ${target}`, stage.folder, {});
  }
}

async function run(stage: Image, text: string, full: boolean): Promise<void> {
  // These commands would change the system outside of the image's folder.
  if (/apt-get|groupadd/.test(text)) return;
  const install = /^install -d -o (\d+) -g (\d+) -m (\d+) (.+)$/.exec(text);
  if (!install)
    return await runShell(full ? text : withoutBuilding(text), resolveInStage(stage, '.'), stage.env);
  const [, uid, gid, mode = '', folders = ''] = install;
  for (const path of folders.split(' ')) {
    const folder = join(stage.folder, path);
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, Number.parseInt(mode, 8));
    if (process.getuid?.() === 0) chownSync(folder, Number(uid), Number(gid));
  }
}

/**
 * Replaces the installation for the build by the packages of this checkout, and the build by its
 * pages, so that only packing and installing the package remain.
 */
function withoutBuilding(command: string): string {
  // npm writes to one file in place, which must not be a hard link to that of this checkout.
  const copyList = `cp --remove-destination ${root}node_modules/.package-lock.json node_modules/`;
  if (/^npm ci/.test(command)) return `cp -al ${root}node_modules node_modules && ${copyList}`;
  if (/pack:server/.test(command)) return `cp -a ${root}.next .next && rm -rf .next/dev && ${command}`;
  return command.replace('npm install', 'npm install --prefer-offline');
}

async function runShell(command: string, cwd: string, stageEnv: Record<string, string>): Promise<void> {
  const env = { ...process.env, ...stageEnv };
  // Remove the value of the test runner.
  if (!('NODE_ENV' in stageEnv)) Reflect.deleteProperty(env, 'NODE_ENV');
  const child = reapLater(spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] }));
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise((done) => child.once('close', done));
  if (code !== 0) throw new Error(`RUN ${command} exited with ${code}: ${stderr.slice(-SHOWN_STDERR_CHARS)}`);
}
