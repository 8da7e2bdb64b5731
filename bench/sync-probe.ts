import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { median } from './statistics';

const WRITES = 50;
const BLOCK = Buffer.alloc(8192);

/** Measures one fdatasync in µs: on a disk that does not really flush, commits look free. */
export async function probeSync(folder: string): Promise<number> {
  const path = join(folder, `sync-${process.pid}`);
  const file = await open(path, 'w');
  try {
    const times: number[] = [];
    for (let i = 0; i < WRITES; i++) {
      const started = performance.now();
      await file.write(BLOCK);
      await file.datasync();
      times.push((performance.now() - started) * 1000);
    }
    return Math.round(median(times));
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
