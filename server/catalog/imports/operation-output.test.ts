import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { SkillError } from '../../core/errors/skill-error';
import { noServices } from '../../tools/sdk/no-services';
import type { SavedAsset } from '../../tools/sdk/skill-context';
import { operationOutput } from './operation-output';

const MIB = 1024 * 1024;
/** A response that counts in `read` the bytes consumed. */
function answerWith(text: string | Buffer, type = 'application/json', times = 1, status = 200) {
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
  const response = new Response(body, { status, headers: { 'content-type': type } });
  Object.defineProperty(response, 'url', { value: 'https://api.example/x' });
  return { read, response, output: () => operationOutput(response, noServices()) };
}

it('rejects a response with millions of values without parsing it @F11', async () => {
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

it.each(['application/json', 'text/plain'])(
  'reads no more of %s than an output may have @F11',
  async (type) => {
    const { output, read } = answerWith('x'.repeat(MIB), type, 60);
    await expect(output()).rejects.toThrow('more than 4 MiB');
    expect(read.bytes).toBeLessThanOrEqual(5 * MIB);
  },
);

const latin1 = (text: string) => Buffer.from(text, 'latin1');

it.each([
  ['text/csv; charset=windows-1252', 'a\n\x801', 'a\n€1', 'windows-1252'],
  ['text/plain; charset=gbk', '\xc4\xe3', '你', 'gbk'],
  [
    'application/xml',
    '<?xml version="1.0" encoding="koi8-r"?>\xc4',
    '<?xml version="1.0" encoding="koi8-r"?>д',
    'koi8-r',
  ],
  ['text/plain', 'caf\xe9', 'café', 'windows-1252'],
  ['text/plain', 'caf\xc3\xa9', 'café', 'utf-8'],
])('decodes %s with its charset, which the output names', async (type, body, text, charset) => {
  expect(await answerWith(latin1(body), type).output()).toEqual({ text, charset });
  await expect(answerWith(latin1(body), type, 1, 400).output()).rejects.toThrow(
    text.startsWith('<') ? '(400).' : `(400): ${text.replaceAll('\n', ' ')}`,
  );
});

it('decodes JSON of a charset that its header names, and refuses any other that is not UTF-8', async () => {
  const [type, json] = ['application/json; charset=iso-8859-1', latin1('{"message":"\xe9"}')];
  expect(await answerWith(json, type).output()).toEqual({ message: 'é' });
  await expect(answerWith(json, type, 1, 422).output()).rejects.toThrow('(422): é');
  expect(await answerWith('{"message":"é"}', type).output()).toEqual({ message: 'é' });
  await expect(answerWith(json).output()).rejects.toThrow('invalid JSON');
  await expect(answerWith(json, 'application/json; charset=utf-8').output()).rejects.toThrow('invalid JSON');
});

it('does not take a reason in UTF-8 that is cut within a character for another charset', async () => {
  const reason = answerWith(`x${'é'.repeat(40_000)}`, 'text/plain', 1, 400);
  await expect(reason.output()).rejects.toThrow('(400): xéé');
});

it('sends a file through the disk, so that slow upstreams hold no memory, and no more than fits @C13', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'operation-'));
  const path = join(folder, 'file');
  const save = vi.fn(async () => ({ asset_id: 'asset_1' }) as SavedAsset);
  const files = { ...noServices().files, scratch: async () => path, save };
  const send = async (body: BodyInit | null) => {
    const response = new Response(body, { headers: { 'content-type': 'application/zip' } });
    Object.defineProperty(response, 'url', { value: 'https://api.example/x.zip' });
    return await operationOutput(response, { files });
  };
  try {
    expect(await send('')).toEqual({ status: 200 });
    expect(await send(Buffer.alloc(MIB, 'a'))).toEqual({ file: { asset_id: 'asset_1' } });
    expect(save).toHaveBeenCalledExactlyOnceWith(
      { path },
      { filename: 'x.zip', contentType: 'application/zip' },
    );
    expect((await readFile(path)).byteLength).toBe(MIB);
    files.ensureRoom = () => Promise.reject(new SkillError('Your files are full.'));
    const { read, response } = answerWith(Buffer.alloc(MIB), 'application/zip', 64);
    await expect(operationOutput(response, { files })).rejects.toThrow('Your files are full.');
    expect(read.bytes).toBeLessThan(8 * MIB);
  } finally {
    await rm(folder, { recursive: true });
  }
});
