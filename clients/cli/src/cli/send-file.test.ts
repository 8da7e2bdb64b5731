import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../client.js';
import { sendFile } from './send-file.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-send-'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('what has no size is refused before anything is sent: it would be kept as an empty file', async () => {
  let asked = 0;
  const answer = async () => {
    asked += 1;
    return new Response();
  };
  const client = createClient({ baseUrl: 'http://gateway.test', fetch: answer, retry: false });
  for (const path of [join(folder, 'pipe'), '/dev/null'])
    await expect(sendFile(client, path)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('a pipe or a device'),
    });
  await expect(sendFile(client, folder)).rejects.toMatchObject({ code: 'USAGE' });
  expect(asked).toBe(0);
});
