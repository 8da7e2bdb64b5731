import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import { removeScratch } from '../../../assets/scratch';
import { removeFolder } from '../../../kit/opened-folder';

/**
 * Runs in a thread on the opened folder: repeatedly swaps a folder with a link to `target`.
 */
const SWAP = `
  const { mkdirSync, openSync, renameSync, symlinkSync, unlinkSync, writeFileSync } = require('node:fs');
  const { parentPort, workerData: { call, target } } = require('node:worker_threads');
  const at = (name) => '/proc/self/fd/' + fd + '/' + name;
  const attempt = (work) => { try { work(); } catch {} };
  const fd = openSync(call, 'r');
  attempt(() => mkdirSync(at('folder')));
  parentPort.postMessage('ready');
  for (let round = 0; ; round++) {
    attempt(() => mkdirSync(at('folder')));
    attempt(() => writeFileSync(at('folder/' + (round % 50)), ''));
    // Keep the folder from becoming empty, so that its removal starts over.
    attempt(() => writeFileSync(at('left-' + round), ''));
    attempt(() => renameSync(at('folder'), at('aside')));
    attempt(() => symlinkSync(target, at('folder')));
    attempt(() => unlinkSync(at('folder')));
    attempt(() => renameSync(at('aside'), at('folder')));
  }`;

/**
 * Checks that removing the folder of a call while a thread swaps folders and links in it removes
 * nothing outside.
 * @param data the data folder that contains the folder of the call
 */
export async function expectNothingElsewhereRemoved(
  data: string,
  call: string,
  rounds: number,
): Promise<void> {
  const target = join(data, 'database');
  const names = Array.from({ length: 50 }, (_, at) => `${at}`);
  await mkdir(target);
  for (const name of names) await writeFile(join(target, name), '');
  const trash = join(data, 'scratch-removed');
  for (let round = 0; round < rounds; round++) {
    await mkdir(call, { recursive: true });
    const worker = new Worker(SWAP, { eval: true, workerData: { call, target } });
    await once(worker, 'message');
    await removeScratch(call).catch(() => undefined);
    for (let attempt = 0; attempt < 20; attempt++)
      for (const left of await readdir(trash)) await removeFolder(join(trash, left)).catch(() => undefined);
    await worker.terminate();
  }
  expect((await readdir(target)).sort()).toEqual(names.sort());
}
