import { unwrapData } from '../../responses.js';
import type { Command } from '../command.js';
import { openAsset, saveAsset } from '../created-files.js';
import { write } from '../output.js';
import { uploadFile } from '../upload-file.js';

export const upload: Command = {
  name: 'upload',
  usage: '<file>',
  about: 'Upload a file; pass its asset_id to any tool that takes a file',
  words: [1, 1],
  flags: {
    filename: { value: 'NAME', about: 'file name to store; defaults to the name of the file' },
    'content-type': { value: 'TYPE', about: 'media type, if it cannot be detected from the content' },
    'no-provision': { about: 'do not create a key if there is none' },
  },
  async run(session, args) {
    const [path = ''] = args.words;
    const client = await session.provisionedClient({ provision: !args.on('no-provision') });
    const filename = args.text('filename');
    const kept = await uploadFile(client, path, {
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
  about: 'Save a file that you uploaded or a call created',
  words: [1, 1],
  flags: {
    output: {
      value: 'PATH',
      about: 'a file, a folder, or - for standard output; defaults to its own name in this folder',
      short: 'o',
    },
    force: { about: 'overwrite an existing file' },
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
    const meta = unwrapData(await api.GET('/v1/assets/{assetId}/meta', { params: { path: { assetId } } }));
    const path = await saveAsset(session, { assetId, filename: meta.filename }, target, args.on('force'));
    await session.output.data({ asset_id: assetId, path, size_bytes: meta.size_bytes }, () => path);
    return undefined;
  },
};
