import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { createClient } from '../client.js';
import { uploadFile } from './upload-file.js';

it('rejects a device or a folder before sending anything', async () => {
  let asked = 0;
  const answer = async () => {
    asked += 1;
    return new Response();
  };
  const client = createClient({ baseUrl: 'http://gateway.test', fetch: answer, retry: false });
  await expect(uploadFile(client, '/dev/null')).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('a pipe or a device'),
  });
  await expect(uploadFile(client, tmpdir())).rejects.toMatchObject({ code: 'USAGE' });
  expect(asked).toBe(0);
});
