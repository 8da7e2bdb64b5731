import { GatewayError } from '../../errors.js';
import { unwrapData } from '../../responses.js';
import type { Command } from '../command.js';
import { formatDollars } from '../output.js';
import { promptHidden, promptLine } from '../prompt.js';
import { readAll } from '../read-json.js';
import { maskKey, requireValidKey, type Session } from '../session.js';
import { usageError } from '../usage-error.js';

const MAX_KEY_BYTES = 4_096;

export const login: Command = {
  name: 'login',
  usage: '',
  about: 'Save the URL of a gateway and an API key for it',
  words: [0, 0],
  flags: { 'key-stdin': { about: 'read the key from standard input (for scripts)' } },
  async run(session, args) {
    const baseUrl = await chooseGateway(session, args.on('key-stdin'));
    const typed = args.on('key-stdin')
      ? await readAll(session, '--key-stdin', MAX_KEY_BYTES)
      : await promptHidden(session, `API key for ${baseUrl}: `);
    const key = requireValidKey(typed.trim(), 'The input');
    // Verify the key before saving it.
    const balance = unwrapData(
      await session.createClientFor(baseUrl, key).api.GET('/v1/billing/balance', {}),
    );
    const saved_at = new Date().toISOString();
    await session.keyFile.change(({ keys }) => ({
      base_url: baseUrl,
      keys: { ...keys, [baseUrl]: { api_key: key, saved_at } },
    }));
    if (baseUrl.startsWith('http:') && !/^http:\/\/(localhost|127\.|\[::1\])/.test(baseUrl))
      session.output.note(
        'This URL uses http: the key is sent unencrypted. Use https outside your own network.',
      );
    const stored = {
      base_url: baseUrl,
      key: maskKey(key),
      available_usd: balance.available_usd,
      plan: balance.plan,
    };
    await session.output.data(
      stored,
      () =>
        `Saved ${stored.key} for ${baseUrl} in ${session.keyFile.path}. ${formatDollars(balance.available_usd)} available.`,
    );
    return undefined;
  },
};

async function chooseGateway(session: Session, scripted: boolean): Promise<string> {
  const named = await session.findBaseUrl();
  if (scripted || !session.terminal.stdin.isTTY) return await session.baseUrl();
  const said = await promptLine(session, `Gateway${named === undefined ? '' : ` [${named}]`}: `);
  if (said !== '') return session.requireValidBaseUrl(said, 'The URL');
  return named ?? (await session.baseUrl());
}

export const logout: Command = {
  name: 'logout',
  usage: '',
  about: 'Remove the saved key of a gateway; the key stays valid',
  words: [0, 0],
  async run(session) {
    const baseUrl = await session.baseUrl();
    let removed = false;
    await session.keyFile.change(({ keys: { [baseUrl]: gone, ...keys }, ...kept }) => {
      removed = gone !== undefined;
      return { ...kept, keys };
    });
    await session.output.data({ base_url: baseUrl, removed }, () =>
      removed ? `Removed the key for ${baseUrl}.` : `No key was saved for ${baseUrl}.`,
    );
    return undefined;
  },
};

export const provision: Command = {
  name: 'provision',
  usage: '',
  about: 'Create a key without signing up, and save it',
  details: `Free tools work at once. To use paid tools, a person opens claim_url and claims the key: key, files and history stay.
A saved key is replaced only if it no longer works.`,
  words: [0, 0],
  async run(session) {
    const found = await session.findKey();
    if (found?.from === 'TOOL_GATEWAY_KEY')
      throw usageError('TOOL_GATEWAY_KEY is already set.', 'Unset it to create another key.');
    const baseUrl = await session.baseUrl();
    const isDead = found !== undefined && (await checkKey(session, found.claimUrl)).works === false;
    const { stored, made } = await session.provision(isDead ? found.key : undefined);
    const { claim_url } = stored;
    const details = {
      base_url: baseUrl,
      made,
      key_prefix: maskKey(stored.api_key),
      ...(claim_url && { claim_url }),
    };
    await session.output.data(details, () =>
      [
        `${made ? 'Created' : 'Already have'} ${details.key_prefix} for ${baseUrl}, saved in ${session.keyFile.path}.`,
        ...(claim_url ? [`To use paid tools, claim it here: ${claim_url}`] : []),
      ].join('\n'),
    );
    return undefined;
  },
};

export const whoami: Command = {
  name: 'whoami',
  usage: '',
  about: 'Show the gateway and key in use, and whether the key works',
  words: [0, 0],
  async run(session) {
    const baseUrl = await session.baseUrl();
    const found = await session.findKey();
    const details = {
      base_url: baseUrl,
      key: found ? maskKey(found.key) : null,
      key_from: found?.from ?? null,
      key_file: session.keyFile.path,
      ...(found && (await checkKey(session, found.claimUrl))),
    };
    await session.output.data(details, () =>
      Object.entries(details)
        .map(([name, value]) => `${name}: ${value ?? 'none'}`)
        .join('\n'),
    );
    return undefined;
  },
};

async function checkKey(session: Session, claimUrl: string | undefined): Promise<Record<string, unknown>> {
  try {
    const { api } = await session.keyedClient();
    const { plan, available_usd } = unwrapData(await api.GET('/v1/billing/balance', {}));
    // The saved claim URL is obsolete once the key is claimed.
    return {
      works: true,
      plan,
      available_usd,
      ...(plan === 'provisional' && claimUrl && { claim_url: claimUrl }),
    };
  } catch (error) {
    if (error instanceof GatewayError && error.type === 'auth') return { works: false, why: error.message };
    throw error;
  }
}
