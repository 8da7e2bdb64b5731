import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
const OUTPUT_TAIL = 4000;

/** What a helper process reports when it is ready. */
interface Ready {
  port?: number;
  databaseUrl?: string;
}

/** A process started by the bench: a server or the load generator. */
export interface Helper {
  pid: number;
  port: number;
  databaseUrl: string;
  request<Answer>(command: string, argument?: unknown): Promise<Answer>;
  /** Stops it by its pid, by force if necessary. */
  stop(): Promise<void>;
}

const started = new Set<ChildProcess>();
// An interrupted bench leaves no process behind; helpers also exit when their channel closes.
process.on('exit', () => {
  for (const child of started) child.kill('SIGTERM');
});

/** Starts a helper and waits until it reports that it is ready. */
export async function startHelper(
  file: string,
  env: Record<string, string>,
  execArgv: string[] = [],
): Promise<Helper> {
  const child = fork(file, {
    env: { ...process.env, ...env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    execArgv,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  started.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-OUTPUT_TAIL);
    });
  let ended = false;
  const waiting = new Map<number, { resolve(value: unknown): void; reject(reason: unknown): void }>();
  child.once('exit', (code, signal) => {
    ended = true;
    started.delete(child);
    for (const { reject } of waiting.values())
      reject(new Error(`${file} ended (${signal ?? code}):\n${output}`));
  });
  let ready: Ready | undefined;
  child.on('message', (message: { serves?: Ready; id?: number; value?: unknown; error?: string }) => {
    // Not `ready`: the gateway sends that to its supervisor, before its database is known here.
    ready = message.serves ?? ready;
    const asked = waiting.get(message.id ?? -1);
    waiting.delete(message.id ?? -1);
    if (message.error === undefined) asked?.resolve(message.value);
    else asked?.reject(new Error(message.error));
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!ready && !ended && Date.now() < deadline) await sleep(10);
  if (!ready) {
    child.kill('SIGKILL');
    throw new Error(`${file} did not start:\n${output}`);
  }
  let lastId = 0;
  return {
    pid: child.pid ?? 0,
    port: ready.port ?? 0,
    databaseUrl: ready.databaseUrl ?? '',
    request: <Answer>(command: string, argument?: unknown) =>
      new Promise<Answer>((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
        child.send({ id, command, argument });
      }),
    async stop() {
      if (ended) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exit;
      clearTimeout(force);
    },
  };
}
