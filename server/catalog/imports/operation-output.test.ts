import { expect, it, vi } from 'vitest';
import { noServices } from '../../tools/sdk/no-services';
import { operationOutput } from './operation-output';

const MIB = 1024 * 1024;
/** A response that counts in `read` the bytes consumed. */
function answerWith(text: string, type = 'application/json', times = 1) {
  const bytes = Buffer.from(text);
  const read = { bytes: 0 };
  let left = times;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (left === 0) return controller.close();
        left -= 1;
        read.bytes += bytes.byteLength;
        controller.enqueue(bytes);
      },
    },
    { highWaterMark: 0 },
  );
  const response = new Response(body, { headers: { 'content-type': type } });
  Object.defineProperty(response, 'url', { value: 'https://api.example/x' });
  return { read, output: () => operationOutput(response, noServices()) };
}

it('rejects a response with millions of values without parsing it', async () => {
  const parse = vi.spyOn(JSON, 'parse');
  try {
    const { output } = answerWith(`[${Array(200_000).fill('1').join(',')}]`);
    await expect(output()).rejects.toThrow('more than 200000 values');
    expect(parse).not.toHaveBeenCalled();
    const { data } = await answerWith(`[${Array(90_000).fill('{}').join(',')}]`).output();
    expect(data).toHaveLength(90_000);
  } finally {
    parse.mockRestore();
  }
});

it.each(['application/json', 'text/plain'])('reads no more of %s than an output may have', async (type) => {
  const { output, read } = answerWith('x'.repeat(MIB), type, 60);
  await expect(output()).rejects.toThrow('more than 4 MiB');
  expect(read.bytes).toBeLessThanOrEqual(5 * MIB);
});
