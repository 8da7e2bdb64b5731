import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { type Call, type GatewayClient, paySandbox, type Shape, type WaitOptions } from '../../client.js';
import { GatewayError } from '../../errors.js';
import { unwrapData } from '../../responses.js';
import { buildInputFromFields } from '../build-input.js';
import type { Arguments, Command, FieldArgument } from '../command.js';
import { findCreatedFiles, saveAsset } from '../created-files.js';
import { EXIT } from '../exit-codes.js';
import { followCall } from '../follow-call.js';
import type { JsonSchema } from '../json-schema.js';
import { formatDollars } from '../output.js';
import { parseCostLimit } from '../parse-numbers.js';
import { readProviderKeys } from '../provider-keys.js';
import { readJson } from '../read-json.js';
import type { Session } from '../session.js';
import { skillNotFound } from '../skill-not-found.js';
import { uploadFileFields } from '../upload-file.js';
import { usageError } from '../usage-error.js';
import { requireNewFile } from '../write-new-file.js';

export const call: Command = {
  name: 'call',
  usage: '<tool> <skill> [--<field> value …]',
  about: 'Call a tool and print its result',
  details: `Each input field is a flag: --expression "6 * 7". Its type comes from the skill (tool-gateway info <tool> <skill>):
repeat the flag for a list or pass JSON, pass an object as JSON or as --object.part value, true as --flag, false as
--no-flag. A file field accepts a path, also within an object or a list: the file is uploaded first. Use --field name=value for a field that has the
same name as a flag of this command.

If there is no key, one is created and saved (free tools work at once), unless --no-provision is given.
Ctrl-C stops waiting. A call that became a job keeps running; its id is printed so that you can follow or cancel it.`,
  words: [1, 2],
  takesFields: true,
  flags: {
    input: { value: 'JSON|@FILE|-', about: 'the complete input; field flags override it' },
    field: {
      value: 'NAME=VALUE',
      about: 'a field with the same name as one of these flags',
      repeatable: true,
    },
    pay: {
      value: 'METHOD',
      about: 'pay for this call instead of using a key: sandbox, free, at gateways in test mode',
    },
    'dry-run': { about: 'check and price the call without running it' },
    billing: { value: 'ACCOUNT', about: 'the account to charge: personal, team, or the slug of a team' },
    'max-cost': { value: 'DOLLARS', about: 'refuse the call if it can cost more' },
    quote: {
      value: 'ID',
      about: 'the quote of a dry run of the same call: keeps its prices for ten minutes',
    },
    webhook: { value: 'URL', about: 'receives the end of the job, if the call becomes one' },
    wait: { value: 'N', about: 'wait at most N seconds, then print the job and exit with 8' },
    'no-wait': { about: 'do not wait; if the call is still running, print the job and exit with 8' },
    stream: {
      about: 'show progress on standard error while the tool runs; the default at a terminal',
    },
    progress: { about: 'alias of --stream' },
    'idempotency-key': {
      value: 'TEXT',
      about: 'your own key for this request: repeating it returns the first response',
    },
    'provider-key': {
      value: 'NAME',
      about:
        'use your own key for this provider (BYOK), from TOOL_GATEWAY_PROVIDER_KEY_<NAME> or <NAME>_API_KEY',
      repeatable: true,
    },
    output: { value: 'FILE', about: 'write the result to this file, as JSON' },
    receipt: { value: 'FILE', about: 'write a signed receipt of the call to this file' },
    download: { value: 'PATH', about: 'save the files that the call created to this file or folder' },
    force: { about: 'overwrite existing files' },
    'no-provision': { about: 'do not create a key if there is none' },
  },
  run: runCall,
};

async function runCall(
  session: Session,
  args: Arguments,
  fields: readonly FieldArgument[],
): Promise<number | undefined> {
  const [tool = '', skill] = args.words;
  const waitSeconds = parseWaitSeconds(args);
  const maxCost = parseCostLimit(args);
  const streams = args.on('stream') || args.on('progress');
  if (streams && waitSeconds !== undefined)
    throw usageError(
      '--stream cannot be combined with --wait or --no-wait.',
      'Remove --wait and --no-wait, or --stream.',
    );
  // Before the call: afterwards a paid result could not be written.
  for (const file of ['output', 'receipt']) await requireNewFile(args.text(file), args.on('force'));
  const providerKeys = readProviderKeys(session, args.texts('provider-key'));
  const pays = parsePayment(args);
  const client = pays
    ? session.createClientFor(await session.baseUrl())
    : await session.provisionedClient({ provision: !args.on('no-provision') });
  if (skill === undefined) throw await createMissingSkillError(client, tool);
  const idempotencyKey = args.text('idempotency-key') ?? randomUUID();
  const input = await buildInput(session, client, { tool, skill, args, fields, idempotencyKey });
  const wanted = {
    tool,
    skill,
    input,
    billing: args.text('billing'),
    max_cost_usd: maxCost,
    quote_id: args.text('quote'),
    webhook: args.text('webhook'),
  };
  if (pays)
    return await payForCall(session, args, client, wanted, { idempotencyKey, providerKeys, waitSeconds });
  if (args.on('dry-run')) return await dryRun(session, client, wanted, providerKeys);
  // Streaming always waits for the end, so a call with a wait limit is polled instead.
  const events = streams || (session.output.isInteractive && waitSeconds === undefined);
  const result = await followCall(session, client, wanted, {
    idempotencyKey,
    providerKeys,
    waitSeconds,
    events,
    receipt: args.text('receipt') !== undefined,
  });
  await writeReceipt(session, args, result);
  await printResult(session, args, result);
  return result.status === 'pending' ? EXIT.pending : EXIT.ok;
}

/** Whether to pay for the call. @throws GatewayError USAGE for an unknown method */
function parsePayment(args: Arguments): boolean {
  const method = args.text('pay');
  if (method === undefined) return false;
  if (method !== 'sandbox') throw usageError(`--pay ${method} is not supported.`, 'Use --pay sandbox.');
  if (args.on('dry-run') || args.on('stream') || args.on('progress'))
    throw usageError('--pay cannot be combined with --dry-run or --stream.', 'Remove one of them.');
  return true;
}

/** Pays for a call, and prints the key that holds the rest, also if the call fails. */
async function payForCall(
  session: Session,
  args: Arguments,
  client: GatewayClient,
  call: Call,
  options: WaitOptions,
): Promise<number> {
  try {
    const result = await client.payForTool(call, paySandbox, options);
    await printResult(session, args, result);
    noteRest(session, result);
    return result.status === 'pending' ? EXIT.pending : EXIT.ok;
  } catch (error) {
    if (error instanceof GatewayError) noteRest(session, error.body.error);
    throw error;
  }
}

function noteRest({ output }: Session, { api_key: key, claim_url: claimUrl }: Rest): void {
  if (key === undefined) return;
  const claim = claimUrl === undefined ? '' : ` To move it to an account: ${claimUrl}`;
  output.note(`The rest of the payment is on the key ${key}.${claim}`, { api_key: key, claim_url: claimUrl });
}

interface Rest {
  api_key?: string | undefined;
  claim_url?: string | undefined;
}

interface WantedInput {
  tool: string;
  skill: string;
  args: Arguments;
  fields: readonly FieldArgument[];
  idempotencyKey: string;
}

async function buildInput(
  session: Session,
  client: GatewayClient,
  { tool, skill, args, fields, idempotencyKey }: WantedInput,
): Promise<Record<string, unknown>> {
  const given = args.text('input');
  const base = given === undefined ? {} : await readJson(session, given, '--input');
  if (typeof base !== 'object' || base === null || Array.isArray(base))
    throw usageError('--input is not a JSON object.', 'Use {"field": value}.');
  const all = [...fields, ...args.texts('field').map(parseFieldFlag)];
  if (all.length === 0) return base as Record<string, unknown>;
  const schema = await fetchInputSchema(client, tool, skill);
  const input = buildInputFromFields(schema, all, base as Record<string, unknown>);
  await uploadFileFields(session, client, schema, { fields: all, input, idempotencyKey });
  return input;
}

function parseFieldFlag(text: string): FieldArgument {
  const at = text.indexOf('=');
  if (at <= 0) throw usageError(`--field ${text} has no value.`, 'Use --field name=value.');
  return { name: text.slice(0, at), value: text.slice(at + 1) };
}

async function fetchInputSchema(client: GatewayClient, tool: string, skill: string): Promise<JsonSchema> {
  const { skills } = unwrapData(
    await client.api.GET('/v1/tools/{tool}/skills', { params: { path: { tool } } }),
  );
  const found = skills.find(({ name }) => name === skill);
  if (found) return (found.input ?? {}) as JsonSchema;
  throw skillNotFound(tool, skill, skills);
}

async function createMissingSkillError(client: GatewayClient, tool: string): Promise<GatewayError> {
  const { skills } = unwrapData(
    await client.api.GET('/v1/tools/{tool}/skills', { params: { path: { tool } } }),
  );
  return usageError(
    'The skill is missing.',
    `Use tool-gateway call ${tool} <skill>. Its skills: ${skills.map(({ name }) => name).join(', ')}.`,
  );
}

function parseWaitSeconds(args: Arguments): number | undefined {
  if (args.on('no-wait')) return 0;
  const text = args.text('wait');
  if (text === undefined) return undefined;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw usageError(`--wait ${text} is not a number of seconds.`, 'Use an integer, such as --wait 60.');
}

async function dryRun(
  session: Session,
  client: GatewayClient,
  wanted: Call,
  providerKeys: Record<string, string>,
): Promise<number> {
  const result = await client.dryRun(wanted, { providerKeys });
  await session.output.data(result, () =>
    [
      result.valid ? 'The call would be accepted.' : 'The call would be rejected.',
      ...result.input_errors.map(({ path, message }) => `  ${path || '(input)'}: ${message}`),
      ...(result.unavailable_reason === undefined ? [] : [`  unavailable: ${result.unavailable_reason}`]),
      ...result.missing_credentials.map(
        ({ name, acquireUrl }) => `  requires a ${name} key (--provider-key ${name}): ${acquireUrl}`,
      ),
      ...(result.claim_url === undefined ? [] : [`  a person must claim the key first: ${result.claim_url}`]),
      `Costs at most ${formatDollars(result.estimated_cost_usd)}; available ${formatDollars(result.billing.balance_usd)}.`,
      ...(result.within_max_cost === false ? ['That is more than --max-cost.'] : []),
      ...(result.quote
        ? [`To keep this price until ${result.quote.expires_at}: --quote ${result.quote.id}`]
        : []),
      `${result.rate_limit.remaining} of ${result.rate_limit.limit} calls remaining.`,
    ].join('\n'),
  );
  if (result.valid) return EXIT.ok;
  if (!result.input_valid) return EXIT.usage;
  return result.credentials_ok ? EXIT.billing : EXIT.auth;
}

/** Writes the receipt of a successful call; one that still runs as a job has none yet. */
async function writeReceipt(
  { output }: Session,
  args: Arguments,
  { receipt, id }: Shape<'ToolCallResult'>,
): Promise<void> {
  const file = args.text('receipt');
  if (file === undefined) return;
  if (receipt !== undefined) await writeFile(file, `${receipt}\n`);
  else output.note(`There is no receipt yet: tool-gateway receipt get ${id} once the call has succeeded.`);
}

/** Prints a result (the full body in JSON mode, else the output), and its cost on stderr. */
async function printResult(
  session: Session,
  args: Arguments,
  result: Shape<'ToolCallResult'>,
): Promise<void> {
  const { output } = session;
  const file = args.text('output');
  const target = args.text('download');
  const force = args.on('force');
  if (target !== undefined)
    for (const made of findCreatedFiles(result.output))
      output.note(`Saved ${await saveAsset(session, made, target, force)}.`, { asset_id: made.assetId });
  if (file !== undefined) await writeFile(file, `${JSON.stringify(result, null, 2)}\n`);
  else await output.data(result, () => formatResult(result));
  if (output.json) return;
  const cost = result.usage
    ? `${formatDollars(result.usage.cost)} · ${formatDollars(result.usage.credits_remaining)} remaining`
    : '';
  const facts = [cost, result.meta ? `${result.meta.latency_ms} ms` : '', result.id ?? ''].filter(Boolean);
  if (facts.length > 0) output.note(output.dim(facts.join(' · ')));
}

/** Prints a single text value verbatim, anything else as JSON. */
function formatResult({ status, output, job_id: jobId }: Shape<'ToolCallResult'>): string {
  if (status === 'pending')
    return `Still running as ${jobId}. To get its result: tool-gateway jobs wait ${jobId}`;
  const values = Object.values(output ?? {});
  const [only] = values;
  return values.length === 1 && typeof only === 'string' ? only : JSON.stringify(output ?? {}, null, 2);
}
