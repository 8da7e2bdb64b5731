// `npm run docker:check [-- --full]`: carries out the Dockerfile without Docker, in an empty folder, and uses what comes out as a
// container would: another user, read-only files, an external PostgreSQL, production. With --full it installs and builds
// too; without, what `npm ci` and the build have made here is linked into place.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';
import { Checks } from './crash/checks.mjs';
import { send } from './crash/client.mjs';
import { copyContext, readDockerfile } from './docker-steps.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const full = process.argv.includes('--full');
const START_MS = 120_000;
const POLL_MS = 250;
const UID = 10_001;

/** @typedef {{ folder: string, workdir: string, env: Record<string, string>, user: number | null, command: string[], health: string[] }} Stage */

const scratch = mkdtempSync(join(tmpdir(), 'gateway-image-'));
chmodSync(scratch, 0o755);
const checks = new Checks();
const state = { child: /** @type {import('node:child_process').ChildProcess | null} */ (null), log: '' };
const ground = { postgres: /** @type {{ url: string, stop: () => Promise<void> } | null} */ (null) };
try {
  const image = await buildStages();
  const sizes = await output('du', ['-sm', join(image.folder, 'app')]);
  console.log(`  /app has ${sizes.split('\t')[0]} MiB`);
  await run(image);
} catch (error) {
  checks.holds('the steps of the Dockerfile can be carried out', [String(error), state.log.slice(-1500)]);
} finally {
  state.child?.kill('SIGTERM');
  for (let n = 0; state.child && state.child.exitCode === null && n < 120; n++) await sleep(POLL_MS);
  state.child?.kill('SIGKILL');
  await ground.postgres?.stop();
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`\n${checks.passed} passed, ${checks.failed} failed`);
process.exit(checks.failed === 0 ? 0 : 1);

/** @returns {Promise<Stage>} the last stage */
async function buildStages() {
  /** @type {Map<string, Stage>} */
  const stages = new Map();
  /** @type {Stage | undefined} */
  let stage;
  for (const { name, words, text } of readDockerfile(join(root, 'Dockerfile'))) {
    if (name === 'FROM') {
      const folder = join(scratch, words[2] ?? `stage-${stages.size}`);
      mkdirSync(folder);
      stage = { folder, workdir: '/', env: {}, user: null, command: [], health: [] };
      stages.set(words[2] ?? '', stage);
      continue;
    }
    if (!stage) throw new Error(`${name} before FROM`);
    await step(stage, { name, words, text }, stages);
  }
  if (!stage) throw new Error('The Dockerfile has no stage');
  return stage;
}

/**
 * @param {Stage} stage
 * @param {import('./docker-steps.mjs').Step} instruction
 * @param {Map<string, Stage>} stages
 */
async function step(stage, { name, words, text }, stages) {
  const inStage = (/** @type {string} */ path) =>
    join(stage.folder, path.startsWith('/') ? path : join(stage.workdir, path));
  if (name === 'WORKDIR') {
    stage.workdir = String(words[0]);
    mkdirSync(inStage('.'), { recursive: true });
  } else if (name === 'ENV') {
    const [key = '', ...value] = text.split('=');
    stage.env[key] = value.join('=');
  } else if (name === 'USER') stage.user = Number(words[0]?.split(':')[0]);
  else if (name === 'CMD') stage.command = JSON.parse(text);
  else if (name === 'HEALTHCHECK') stage.health = JSON.parse(text.slice(text.indexOf('CMD ') + 4));
  else if (name === 'COPY') await copy(stage, words, stages, inStage);
  else if (name === 'RUN') await runStep(stage, text, inStage('.'));
  else if (!['ARG', 'EXPOSE', 'VOLUME', 'STOPSIGNAL'].includes(name))
    throw new Error(`${name} is not known here`);
}

/**
 * @param {Stage} stage
 * @param {string[]} words
 * @param {Map<string, Stage>} stages
 * @param {(path: string) => string} inStage
 */
async function copy(stage, words, stages, inStage) {
  const from = words[0]?.startsWith('--from=') ? stages.get(words[0].slice(7)) : undefined;
  const paths = words.filter((word) => !word.startsWith('--'));
  const to = inStage(String(paths.pop()));
  for (const path of paths) {
    if (!from) {
      copyContext(root, path, to);
      continue;
    }
    const source = join(from.folder, path);
    if (!existsSync(source)) throw new Error(`COPY: there is no ${path} in the stage`);
    const target =
      paths.length > 1 || String(words.at(-1)).endsWith('/') ? join(to, String(path.split('/').at(-1))) : to;
    mkdirSync(dirname(target), { recursive: true });
    // Links, not copies: nobody writes into them.
    await shell(`cp -al ${source} ${target}`, stage.folder, {});
  }
}

/** @param {Stage} stage @param {string} text @param {string} cwd */
async function runStep(stage, text, cwd) {
  if (/apt-get|groupadd/.test(text)) return console.log(`  skipped: RUN ${text.slice(0, 70)}`);
  const folders = /^install -d -o (\d+) -g (\d+) -m (\d+) (.+)$/.exec(text);
  if (folders) {
    for (const path of String(folders[4]).split(' ')) {
      const folder = join(stage.folder, path);
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, Number.parseInt(String(folders[3]), 8));
      if (process.getuid?.() === 0) chownSync(folder, Number(folders[1]), Number(folders[2]));
    }
    return;
  }
  let command = text;
  if (!full) {
    // Proven by whoever runs this: the install and the build of this very checkout.
    if (/^npm ci/.test(text)) return await shell(`cp -al ${root}node_modules node_modules`, cwd, stage.env);
    if (/npm run build/.test(text)) command = `cp -a ${root}.next .next && rm -rf .next/cache .next/dev`;
    // Hard links: what is removed here stays there. npm writes into one file, which must be a copy.
    if (/npm prune/.test(text))
      command = `cp --remove-destination ${root}node_modules/.package-lock.json node_modules/ && ${text.replace('npm prune', 'npm prune --prefer-offline --ignore-scripts')}`;
  }
  await shell(command, cwd, stage.env);
}

/** @param {string} command @param {string} cwd @param {Record<string, string>} env */
async function shell(command, cwd, env) {
  console.log(`  RUN ${command}`);
  const { NODE_ENV: _, ...own } = process.env;
  const child = spawn('sh', ['-c', command], {
    cwd,
    env: /** @type {any} */ ({ ...own, ...env }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (chunk) => (said += chunk));
  const code = await new Promise((done) => child.once('close', done));
  if (code !== 0) throw new Error(`RUN ${command} ended with ${code}: ${said.slice(-800)}`);
}

/** @param {string} program @param {string[]} args @returns {Promise<string>} */
function output(program, args) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.once('close', () => resolve(text));
  });
}

/** @param {Stage} image */
async function run(image) {
  const app = join(image.folder, image.workdir);
  const { startPostgres } = await tsImport('../../server/boot/embedded-postgres/start-postgres.ts', {
    parentURL: import.meta.url,
    tsconfig: `${root}tsconfig.json`,
  });
  const folder = join(scratch, 'database');
  mkdirSync(folder);
  const postgres = await startPostgres({ dataDir: folder });
  ground.postgres = postgres;
  const port = await freePort();
  const asRoot = process.getuid?.() === 0;
  const secret = () => randomBytes(32).toString('base64');
  const temporary = join(scratch, 'tmp');
  mkdirSync(temporary);
  chmodSync(temporary, 0o777);
  const env = {
    PATH: String(process.env.PATH),
    ...image.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: join(image.folder, String(image.env.DATA_DIR)),
    ASSETS_DIR: join(image.folder, String(image.env.ASSETS_DIR)),
    TMPDIR: temporary,
    BASE_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: String(postgres.url),
    AUTH_SECRET: secret(),
    VAULT_KEY: secret(),
    CLAIM_SECRET: secret(),
    SMTP_URL: 'smtp://127.0.0.1:9',
    OPERATOR_EMAIL: 'operator@example.test',
  };
  const [program = '', ...args] = image.command;
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd: app,
    env: /** @type {any} */ (env),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(asRoot && image.user !== null ? { uid: UID, gid: UID } : {}),
  });
  state.child = child;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (state.log += chunk));
  checks.equals('the command of the image is run by somebody who is not root', image.user, UID);
  const started = await untilAnswers(`${env.BASE_URL}/healthz`, child);
  checks.holds(
    'it starts with read-only files, and /healthz answers',
    started ? [] : [state.log.slice(-1500)],
  );
  if (started) await use(image, env);
  const exit = child.exitCode ?? new Promise((done) => child.once('close', done));
  child.kill('SIGTERM');
  checks.equals(
    'it stops in order when it is asked to',
    await Promise.race([exit, sleep(60_000, 'late')]),
    0,
  );
}

/** @param {Stage} image @param {Record<string, string>} env */
async function use(image, env) {
  const { BASE_URL: base = '' } = env;
  const [, ...health] = image.health;
  const healthy = spawn(process.execPath, health, { env: /** @type {any} */ (env), stdio: 'ignore' });
  checks.equals(
    'its HEALTHCHECK says that it is well',
    await new Promise((done) => healthy.once('close', done)),
    0,
  );
  const page = await fetch(`${base}/tools`);
  checks.equals('a page is shown', [page.status, (await page.text()).includes('</html>')], [200, true]);
  const guide = await fetch(`${base}/llms-full.txt`);
  checks.equals('the guides are there', [guide.status, (await guide.text()).length > 10_000], [200, true]);
  const key = (await send(`${base}/v1/auth/provision`, '', 'POST', { json: {} })).body?.api_key ?? '';
  const call = async (
    /** @type {string} */ tool,
    /** @type {string} */ skill,
    /** @type {object} */ input,
  ) => {
    const { status, body } = await send(`${base}/v1/tools/call`, key, 'POST', {
      json: { tool, skill, input },
    });
    return [status, body?.output ?? body];
  };
  checks.equals('a key is made and a call answered', await call('diagnostics', 'echo', { message: 'hi' }), [
    200,
    { message: 'hi' },
  ]);
  const [status] = await call('math', 'evaluate', { expression: '6 * 7' });
  checks.equals('a tool that computes in a process of its own works', status, 200);
}

/** @param {string} url @param {import('node:child_process').ChildProcess} child */
async function untilAnswers(url, child) {
  for (
    const end = performance.now() + START_MS;
    performance.now() < end && child.exitCode === null;
    await sleep(POLL_MS)
  )
    if ((await fetch(url).catch(() => null))?.ok) return true;
  return false;
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
