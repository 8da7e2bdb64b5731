import { unwrapData } from '../../responses.js';
import type { Command } from '../command.js';
import { openAsset, saveAsset } from '../created-files.js';
import { formatColumns, write } from '../output.js';
import { omitUndefined, readPageFlags } from '../page-flags.js';
import { uploadFile } from '../upload-file.js';
import { usageError } from '../usage-error.js';

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

const KINDS = ['image', 'audio', 'video', 'pdf', 'text', 'other'] as const;

export const assetsList: Command = {
  name: 'assets list',
  usage: '',
  about: 'List files that you uploaded or calls created, newest first',
  words: [0, 0],
  flags: {
    q: { value: 'TEXT', about: 'only files with this in their name' },
    kind: { value: KINDS.join('|'), about: 'only files of this kind' },
    tool: { value: 'NAME', about: 'only files that this tool made; upload means none' },
    limit: { value: 'N', about: 'at most N files' },
    cursor: { value: 'TEXT', about: 'continue from next_cursor' },
  },
  async run(session, args) {
    const { api } = await session.keyedClient();
    const named = args.text('kind');
    const kind = KINDS.find((known) => known === named);
    if (named !== undefined && kind === undefined)
      throw usageError(`--kind ${named} is unknown.`, `Use one of ${KINDS.join(', ')}.`);
    const query = {
      ...readPageFlags(args),
      ...omitUndefined({ kind, q: args.text('q'), tool: args.text('tool') }),
    };
    const found = unwrapData(await api.GET('/v1/assets', { params: { query } }));
    const rows = found.assets.map((file) => [
      file.asset_id,
      file.created_at,
      `${file.size_bytes} bytes`,
      file.filename,
    ]);
    await session.output.data(found, () => formatColumns(rows));
    return undefined;
  },
};

export const assetsDelete: Command = {
  name: 'assets delete',
  usage: '<asset>',
  about: 'Delete a file; this cannot be undone',
  words: [1, 1],
  async run(session, { words: [assetId = ''] }) {
    const { api } = await session.keyedClient();
    const deleted = unwrapData(await api.DELETE('/v1/assets/{assetId}', { params: { path: { assetId } } }));
    await session.output.data(deleted, () => `Deleted ${deleted.asset_id}.`);
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
