// Runs Knip with these arguments: `node scripts/knip.mjs`.
import { spawnSync } from 'node:child_process';
import { installOnDemand } from './on-demand.mjs';

const knip = `${installOnDemand('lint')}knip/bin/knip.js`;
const { status } = spawnSync(process.execPath, [knip, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
