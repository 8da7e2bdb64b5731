import { randomUUID } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { dataOf } from '../../answers.js';
import type { Call, GatewayClient, Shape } from '../../client.js';
import { type GatewayError, ownError } from '../../errors.js';
import type { Arguments, Command, FieldArgument } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { followCall } from '../follow-call.js';
import { inputOfFields } from '../input-of-fields.js';
import type { JsonSchema } from '../json-schema.js';
import { madeFiles, saveAsset } from '../made-files.js';
import { dollars } from '../output.js';
import { providerKeysOf } from '../provider-keys.js';
import { readJson } from '../read-json.js';
import { sendFilesOf } from '../send-file.js';
import type { Session } from '../session.js';
import { usageError } from '../usage-error.js';

export const call: Command = {
  name: 'call',
  usage: '<tool> <skill> [--<field> value …]',
  about: 'Call a tool and print its result',
  details: `Fields of the input are flags: --expression "6 * 7". Their types come from the skill (tool-gateway info <tool> <skill>):
a list is given once for each item or as JSON, an object as JSON or as --object.part value, true as --flag, false as
--no-flag. A field that takes a file takes a path: the file is uploaded first. --field name=value is for a field that is
named like a flag of this command.

Without a key one is made and kept (free tools work at once), unless --no-provision is given.
Ctrl-C leaves a call that has become a job running, and says how to follow or cancel it.`,
  words: [1, 2],
  takesFields: true,
  flags: {
    input: { value: 'JSON|@FILE|-', about: 'the whole input; fields go over it' },
    field: { value: 'NAME=VALUE', about: 'a field that is named like one of these flags', many: true },
    'dry-run': { about: 'check and price the call without running it' },
    billing: { value: 'ACCOUNT', about: 'the account charged: personal, team, or the slug of a team' },
    wait: { value: 'N', about: 'wait N seconds at most, then end with 8 and the job' },
    'no-wait': { about: 'do not wait: end with 8 and the job where it still runs' },
    stream: {
      about: 'show on standard error what the tool says while it runs; at a terminal it is shown anyway',
    },
    progress: { about: 'the same as --stream' },
    'idempotency-key': {
      value: 'TEXT',
      about: 'your name for this request: the same again gives the first answer',
    },
    'provider-key': {
      value: 'NAME',
      about:
        'use your own key of this provider: TOOL_GATEWAY_PROVIDER_KEY_<NAME> or <NAME>_API_KEY of the environment',
      many: true,
    },
    output: { value: 'FILE', about: 'write the result there, as JSON' },
    download: { value: 'PATH', about: 'save the files that the call made, there' },
    force: { about: 'write over files that exist' },
    'no-provision': { about: 'make no key where there is none' },
  },
  run: runCall,
};

async function runCall(
  session: Session,
  args: Arguments,
  fields: readonly FieldArgument[],
): Promise<number | undefined> {
  const [tool = '', skill] = args.words;
  const waitSeconds = waitOf(args);
  const streams = args.on('stream') || args.on('progress');
  if (streams && waitSeconds !== undefined)
    throw usageError('--stream waits for the end.', 'Leave --wait and --no-wait out, or --stream.');
  await refuseExisting(args.text('output'), args.on('force'));
  const providerKeys = providerKeysOf(session, args.texts('provider-key'));
  const client = await session.provisionedClient({ provision: !args.on('no-provision') });
  if (skill === undefined) throw await missingSkill(client, tool);
  const idempotencyKey = args.text('idempotency-key') ?? randomUUID();
  const input = await inputOf(session, client, { tool, skill, args, fields, idempotencyKey });
  const wanted = { tool, skill, input, billing: args.text('billing') };
  if (args.on('dry-run')) return await dryRun(session, client, wanted, providerKeys);
  // Whoever watches sees what the tool says; events wait for the end, so a shorter wait has none.
  const events = streams || (session.output.watched && waitSeconds === undefined);
  const result = await followCall(session, client, wanted, {
    idempotencyKey,
    providerKeys,
    waitSeconds,
    events,
  });
  await tell(session, args, result);
  return result.status === 'pending' ? EXIT.pending : EXIT.ok;
}

interface WantedInput {
  tool: string;
  skill: string;
  args: Arguments;
  fields: readonly FieldArgument[];
  idempotencyKey: string;
}

async function inputOf(
  session: Session,
  client: GatewayClient,
  { tool, skill, args, fields, idempotencyKey }: WantedInput,
): Promise<Record<string, unknown>> {
  const given = args.text('input');
  const base = given === undefined ? {} : await readJson(session, given, '--input');
  if (typeof base !== 'object' || base === null || Array.isArray(base))
    throw usageError('--input is not a JSON object.', 'Write it as {"field": value}.');
  const all = [...fields, ...args.texts('field').map(namedField)];
  if (all.length === 0) return base as Record<string, unknown>;
  const schema = await schemaOf(client, tool, skill);
  const input = inputOfFields(schema, all, base as Record<string, unknown>);
  await sendFilesOf(session, client, schema, { fields: all, input, idempotencyKey });
  return input;
}

function namedField(text: string): FieldArgument {
  const at = text.indexOf('=');
  if (at <= 0) throw usageError(`--field ${text} has no value.`, 'Write --field name=value.');
  return { name: text.slice(0, at), value: text.slice(at + 1) };
}

async function schemaOf(client: GatewayClient, tool: string, skill: string): Promise<JsonSchema> {
  const { skills } = dataOf(await client.api.GET('/v1/tools/{tool}/skills', { params: { path: { tool } } }));
  const found = skills.find(({ name }) => name === skill);
  if (found) return (found.input ?? {}) as JsonSchema;
  throw ownError({
    code: 'SKILL_NOT_FOUND',
    message: `The tool ${tool} has no skill ${skill}.`,
    type: 'not_found',
    hint: `It has: ${skills.map(({ name }) => name).join(', ')}.`,
  });
}

async function missingSkill(client: GatewayClient, tool: string): Promise<GatewayError> {
  const { skills } = dataOf(await client.api.GET('/v1/tools/{tool}/skills', { params: { path: { tool } } }));
  return usageError(
    'The skill is missing.',
    `Write tool-gateway call ${tool} <skill>; it has: ${skills.map(({ name }) => name).join(', ')}.`,
  );
}

function waitOf(args: Arguments): number | undefined {
  if (args.on('no-wait')) return 0;
  const text = args.text('wait');
  if (text === undefined) return undefined;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw usageError(`--wait ${text} is not a number of seconds.`, 'Write a whole number, such as --wait 60.');
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
      result.valid ? 'The call would be accepted.' : 'The call would be refused.',
      ...result.input_errors.map(({ path, message }) => `  ${path || '(input)'}: ${message}`),
      ...result.missing_credentials.map(({ name, acquireUrl }) => `  needs a key of ${name}: ${acquireUrl}`),
      `Costs at most ${dollars(result.estimated_cost_usd)}; available ${dollars(result.billing.balance_usd)}.`,
      `${result.rate_limit.remaining} of ${result.rate_limit.limit} calls left.`,
    ].join('\n'),
  );
  if (result.valid) return EXIT.ok;
  if (!result.input_valid) return EXIT.usage;
  return result.credentials_ok ? EXIT.billing : EXIT.auth;
}

/** Prints a result: in JSON the whole body, else what the tool made, and what it cost on standard error. */
async function tell(session: Session, args: Arguments, result: Shape<'ToolCallResult'>): Promise<void> {
  const { output } = session;
  const file = args.text('output');
  const target = args.text('download');
  const force = args.on('force');
  if (target !== undefined)
    for (const made of madeFiles(result.output))
      output.note(`Saved ${await saveAsset(session, made, target, force)}.`, { asset_id: made.assetId });
  if (file !== undefined) await writeFile(file, `${JSON.stringify(result, null, 2)}\n`);
  else await output.data(result, () => humanResult(result));
  if (output.json) return;
  const cost = result.usage
    ? `${dollars(result.usage.cost)} · ${dollars(result.usage.credits_remaining)} left`
    : '';
  const facts = [cost, result.meta ? `${result.meta.latency_ms} ms` : '', result.id ?? ''].filter(Boolean);
  if (facts.length > 0) output.note(output.dim(facts.join(' · ')));
}

/** Before the call: after it, the result would have nowhere to go. */
async function refuseExisting(file: string | undefined, force: boolean): Promise<void> {
  if (file === undefined || force) return;
  const exists = await stat(file).then(
    () => true,
    () => false,
  );
  if (exists)
    throw usageError(`${file} exists already.`, 'Choose another name, or write over it with --force.');
}

/** A single text as it is, everything else as JSON. */
function humanResult({ status, output, job_id: jobId }: Shape<'ToolCallResult'>): string {
  if (status === 'pending')
    return `Still running as ${jobId}. For its result: tool-gateway jobs wait ${jobId}`;
  const values = Object.values(output ?? {});
  const [only] = values;
  return values.length === 1 && typeof only === 'string' ? only : JSON.stringify(output ?? {}, null, 2);
}
