// Runs Biome with these arguments: `node scripts/biome.mjs check --write FOLDER`.
import { spawnSync } from 'node:child_process';
import { installOnDemand } from './on-demand.mjs';

const biome = `${installOnDemand('lint')}@biomejs/biome/bin/biome`;
const { status } = spawnSync(process.execPath, [biome, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
