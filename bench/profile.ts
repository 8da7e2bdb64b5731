import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { measure } from './measure';
import type { Options } from './options';
import type { Stage } from './stage';
import type { Target } from './targets';

const ROWS = 30;
const SAMPLE_MS = 20;

interface CpuProfile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    children?: number[];
  }[];
  samples: number[];
  timeDeltas: number[];
}

/** Profiles one target: the server's functions by self time, PostgreSQL's waits by share. */
export async function profile(
  stage: Stage,
  target: Target,
  options: Options,
  results: string,
): Promise<void> {
  const connections = options.connections[0] ?? 32;
  const server = stage.servers[target.server];
  await measure(stage, target, connections, options.warmupSeconds);
  await server.request('profile-start');
  const waits = sampleWaits(stage);
  const sample = await measure(stage, target, connections, options.seconds);
  const { counts, taken } = await waits.stop();
  const found = await server.request<CpuProfile>('profile-stop');
  await writeFile(join(results, `${target.name}.cpuprofile`), JSON.stringify(found));
  console.log(
    `\n${target.label}, ${connections} connections: ${Math.round(sample.perSecond)} calls/s (profiled)\n`,
  );
  console.log(topFunctions(found).join('\n'));
  console.log(`\nPostgreSQL, busy processes in ${taken} samples:`);
  for (const [doing, count] of [...counts].sort((a, b) => b[1] - a[1]))
    console.log(`${(count / taken).toFixed(2).padStart(6)}  ${doing}`);
}

function sampleWaits(stage: Stage) {
  const counts = new Map<string, number>();
  let taken = 0;
  let ended = false;
  const run = (async () => {
    while (!ended) {
      for (const doing of await stage.meters.sampleWaits()) counts.set(doing, (counts.get(doing) ?? 0) + 1);
      taken++;
      await sleep(SAMPLE_MS);
    }
  })();
  return {
    async stop() {
      ended = true;
      await run;
      return { counts, taken };
    },
  };
}

/** Functions by self time, as a share of the thread's busy time. */
function topFunctions({ nodes, samples, timeDeltas }: CpuProfile): string[] {
  const frames = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const own = new Map<string, number>();
  let busy = 0;
  let all = 0;
  samples.forEach((id, index) => {
    const frame = frames.get(id);
    const us = timeDeltas[index] ?? 0;
    if (!frame) return;
    all += us;
    if (frame.functionName === '(idle)') return;
    busy += us;
    const file = frame.url.split('/').slice(-2).join('/');
    const name = `${frame.functionName || '(anonymous)'}  ${file}${file ? `:${frame.lineNumber + 1}` : ''}`;
    own.set(name, (own.get(name) ?? 0) + us);
  });
  const top = [...own].sort((a, b) => b[1] - a[1]).slice(0, ROWS);
  return [
    `The thread was busy ${((busy / all) * 100).toFixed(0)} % of the time. Self time, of the busy time:`,
    ...top.map(([name, us]) => `${((us / busy) * 100).toFixed(1).padStart(5)} %  ${name}`),
  ];
}
