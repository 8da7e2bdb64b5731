import { readFile } from 'node:fs/promises';
import type { Shape } from '../../client.js';
import { createError } from '../../errors.js';
import { InvalidReceipt, verifyReceipt } from '../../receipts.js';
import { unwrapData } from '../../responses.js';
import type { Arguments, Command } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { formatColumns } from '../output.js';
import { readAll, readJson, toReadError } from '../read-json.js';
import type { Session } from '../session.js';
import { writeNewFile } from '../write-new-file.js';

const MAX_RECEIPT_BYTES = 64 * 1024;

export const receiptGet: Command = {
  name: 'receipt get',
  usage: '<call>',
  about: 'Get the signed receipt of a successful call',
  details: `The receipt is a compact JWS. It has the hash of the output only if the call was a job: for other calls, get it with the
result (tool-gateway call --receipt FILE).`,
  words: [1, 1],
  flags: {
    output: { value: 'FILE', about: 'write the receipt to this file', short: 'o' },
    force: { about: 'overwrite an existing file' },
  },
  async run(session, args) {
    const { words } = args;
    const [callId = ''] = words;
    const { api } = await session.keyedClient();
    const path = { call_id: callId };
    const found = unwrapData(await api.GET('/v1/usage/{call_id}/receipt', { params: { path } }));
    const file = args.text('output');
    if (file !== undefined) await writeNewFile(file, `${found.receipt}\n`, args.on('force'));
    await session.output.data(found, () => (file === undefined ? found.receipt : describe(found.claims)));
    return undefined;
  },
};

export const receiptVerify: Command = {
  name: 'receipt verify',
  usage: '<file>',
  about: 'Verify a receipt: exits with 0 only if the gateway has signed it',
  details: `The file has the compact JWS (- reads standard input). The keys come from the gateway, or with --jwks from a file or URL.`,
  words: [1, 1],
  flags: {
    output: {
      value: 'FILE',
      about: 'also compare the hash of the output: a result, or only its output, as JSON',
    },
    jwks: { value: 'URL|FILE', about: 'the keys, instead of those of the gateway in use' },
  },
  run: verify,
};

async function verify(session: Session, args: Arguments): Promise<number> {
  const [file = ''] = args.words;
  const receipt = (await readReceipt(session, file)).trim();
  const given = args.text('output');
  const output = given === undefined ? undefined : readOutput(await readJson(session, `@${given}`, given));
  const keys = await readKeys(session, args.text('jwks'));
  try {
    const claims = await verifyReceipt(receipt, { keys, output });
    const verified = { valid: true, output_verified: output !== undefined, claims };
    await session.output.data(verified, () => `The receipt is valid.\n${describe(claims)}`);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof InvalidReceipt)) throw error;
    throw createError({
      code: 'RECEIPT_INVALID',
      message: error.message,
      type: 'validation',
      hint: 'Do not rely on it. Get the receipt again with tool-gateway receipt get <call>.',
    });
  }
}

async function readReceipt(session: Session, file: string): Promise<string> {
  if (file === '-') return await readAll(session, 'The receipt', MAX_RECEIPT_BYTES);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw toReadError(file, error);
  }
}

/** The output of a result that `tool-gateway call --output` has written, or the output itself. */
function readOutput(json: unknown): unknown {
  const isResult = typeof json === 'object' && json !== null && 'output' in json && 'status' in json;
  return isResult ? json.output : json;
}

type Keys = Shape<'ReceiptKeys'>;

async function readKeys(session: Session, source: string | undefined): Promise<Keys> {
  if (source === undefined) {
    const { api } = await session.client();
    return unwrapData(await api.GET('/.well-known/jwks.json', {}));
  }
  if (!/^https?:/.test(source)) return requireKeys(await readJson(session, `@${source}`, source));
  const response = await fetch(source, { signal: session.signal });
  return requireKeys(await response.json());
}

function requireKeys(json: unknown): Keys {
  if (typeof json === 'object' && json !== null && 'keys' in json && Array.isArray(json.keys))
    return json as Keys;
  throw createError({
    code: 'USAGE',
    message: '--jwks does not name a JWK Set.',
    type: 'validation',
    hint: 'Use {"keys": […]}, as GET /.well-known/jwks.json returns it.',
  });
}

function describe(claims: Shape<'ReceiptClaims'>): string {
  return formatColumns([
    ['call', claims.jti],
    ['tool', `${claims.tool}.${claims.skill}`],
    ['charged', `$${claims.cost_usd}`],
    ['account', claims.account],
    ['key', claims.key],
    ['called', claims.called_at],
    ['output', claims.output_sha256 ?? 'no hash'],
    ['signed by', claims.iss],
  ]);
}
