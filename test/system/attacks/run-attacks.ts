import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { startNode } from '../fixtures/processes';
import { measurePeak } from '../fixtures/resident-memory';
import type { Attack, Target } from './known-attacks';

const PROBE = fileURLToPath(new URL('health-probe.mjs', import.meta.url));
const SAMPLE_MS = 100;
const ATTACKER_NICENESS = 10;
const NO_ANSWER = -1;

const Probed = z.object({ latencies: z.array(z.number()), failures: z.array(z.string()) });

export interface AttackResult {
  /** Polls of /healthz during the attacks. */
  health: z.infer<typeof Probed>;
  /** Peak memory of the process. */
  peakBytes: number;
  /** Number of responses by attack and status; 0 is a broken connection, -1 reads no response. */
  answers: Map<string, Map<number, number>>;
}

/** Runs all attacks at once, repeating each for `seconds`. */
export async function runAttacks(
  pid: number,
  target: Target,
  attacks: readonly Attack[],
  seconds: number,
): Promise<AttackResult> {
  const probe = startProbe(target.baseUrl);
  // Real attackers run elsewhere, so these must not take CPU time from the gateway.
  setPriority(ATTACKER_NICENESS);
  const answers: AttackResult['answers'] = new Map();
  const end = Date.now() + seconds * 1000;
  const lanes = attacks.flatMap((attack) => Array.from({ length: attack.lanes ?? 1 }, () => attack));
  const running = Promise.all(lanes.map((attack) => repeat(attack, target, end, answers)));
  const { peak } = await measurePeak(pid, SAMPLE_MS, () => Promise.race([running, sleep(seconds * 1000)]));
  const health = await probe.finish();
  await running;
  return { health, peakBytes: peak, answers };
}

async function repeat(
  { name, step }: Attack,
  target: Target,
  end: number,
  answers: AttackResult['answers'],
): Promise<void> {
  const counts = answers.get(name) ?? new Map<number, number>();
  answers.set(name, counts);
  while (Date.now() < end) {
    const status = (await step(target))?.status ?? NO_ANSWER;
    counts.set(status, (counts.get(status) ?? 0) + 1);
    if (status === 0) await sleep(SAMPLE_MS);
  }
}

function startProbe(baseUrl: string) {
  const child = startNode([PROBE, baseUrl], { stdio: ['pipe', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  return {
    async finish() {
      child.stdin?.end();
      await closed;
      return Probed.parse(JSON.parse(printed));
    },
  };
}
