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
  /** Of /healthz during the attacks. */
  health: z.infer<typeof Probed>;
  /** The most memory that the process took. */
  peakBytes: number;
  /** How often each attack got each status: 0 is a broken connection, -1 is one that reads none. */
  answers: Map<string, Map<number, number>>;
}

/** Runs all attacks at once, each again and again for so many seconds. */
export async function runAttacks(
  pid: number,
  target: Target,
  attacks: readonly Attack[],
  seconds: number,
): Promise<AttackResult> {
  const probe = startProbe(target.baseUrl);
  // Attackers compute elsewhere: here they must not take the gateway's share of the cores.
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
