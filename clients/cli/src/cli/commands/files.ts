import { dataOf } from '../../answers.js';
import type { Command } from '../command.js';
import { openAsset, saveAsset } from '../made-files.js';
import { write } from '../output.js';
import { sendFile } from '../send-file.js';

export const upload: Command = {
  name: 'upload',
  usage: '<file>',
  about: 'Keep a file; its asset_id is an input for every tool that takes a file',
  words: [1, 1],
  flags: {
    filename: { value: 'NAME', about: 'its name; else that of the file' },
    'content-type': { value: 'TYPE', about: 'its type, where the bytes do not say' },
    'no-provision': { about: 'make no key where there is none' },
  },
  async run(session, args) {
    const [path = ''] = args.words;
    const client = await session.provisionedClient({ provision: !args.on('no-provision') });
    const filename = args.text('filename');
    const kept = await sendFile(client, path, {
      ...(filename && { filename }),
      contentType: args.text('content-type'),
    });
    await session.output.data(kept, () => `${kept.asset_id}\n${kept.page_url}`);
    return undefined;
  },
};

export const download: Command = {
  name: 'download',
  usage: '<asset>',
  about: 'Save a file that was uploaded or made',
  words: [1, 1],
  flags: {
    output: {
      value: 'PATH',
      about: 'a file, a folder, or - for standard output; else its own name, here',
      short: 'o',
    },
    force: { about: 'write over a file that exists' },
  },
  async run(session, args) {
    const [assetId = ''] = args.words;
    const target = args.text('output') ?? './';
    if (target === '-') {
      for await (const chunk of await openAsset(session, assetId))
        await write(session.terminal.stdout, chunk);
      return undefined;
    }
    const { api } = await session.client();
    const meta = dataOf(await api.GET('/v1/assets/{assetId}/meta', { params: { path: { assetId } } }));
    const path = await saveAsset(session, { assetId, filename: meta.filename }, target, args.on('force'));
    await session.output.data({ asset_id: assetId, path, size_bytes: meta.size_bytes }, () => path);
    return undefined;
  },
};
