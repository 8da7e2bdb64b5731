// `npm run attacks -- --seconds 60 --health-ms 100`: scripts/testing/attacks, for longer and with a
// bound on /healthz.
import { parseArgs } from 'node:util';
import { build, isBuilt } from './build.mjs';
import { runAttacks } from './testing/attacks/attacks.mjs';
import { stopAllForGood } from './testing/processes.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    'health-ms': { type: 'string', default: '100' },
  },
});

if (!isBuilt()) await build();
try {
  const { passed, failed } = await runAttacks({
    seconds: Number(values.seconds),
    healthMs: Number(values['health-ms']),
  });
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
} finally {
  await stopAllForGood();
}
