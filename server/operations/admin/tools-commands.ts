import { approveTool } from '../../catalog/imports/approve-tool';
import { changeTool } from '../../catalog/imports/change-tool';
import { type CheckResult, checkTool, getImported } from '../../catalog/imports/check-tool';
import { compareDefinitions, definitionHash } from '../../catalog/imports/definition';
import { importTool } from '../../catalog/imports/import-tool';
import { findImportedUnavailableReason } from '../../catalog/imports/imported';
import { listTools } from '../../catalog/imports/list-tools';
import { planImport } from '../../catalog/imports/plan-import';
import { removeTool } from '../../catalog/imports/remove-tool';
import { saveToolSecret } from '../../catalog/imports/save-tool-secret';
import { operatorName } from '../../core/trpc/actor';
import { getAdminCommand } from '../../kit/admin-command';
import { type Flags, type OperandDefinition, UsageError } from './arguments';
import type { Command, CommandContext, CommandResult } from './command';
import {
  IMPORT_FLAGS,
  PRESENTATION_FLAGS,
  parseImportRequest,
  parsePresentation,
  parsePrice,
  parseSkillPrices,
} from './import-flags';
import { describeSource, formatDetails, formatDifferences, formatReasons, showTool } from './show-tool';

const NAME: OperandDefinition = { name: 'name', about: 'the tool; see tools list', required: true };

export const toolsCommands: Command[] = [
  {
    name: 'tools import',
    about:
      'Imports an MCP server or an OpenAPI document as a priced tool. Without --yes it only shows the result.',
    flags: IMPORT_FLAGS,
    run: runImport,
  },
  { name: 'tools list', about: 'Lists the imported tools.', flags: {}, run: runList },
  {
    name: 'tools show',
    about: 'Shows an imported tool: its source, skills, prices and credential.',
    flags: {},
    operands: [NAME],
    run: async ({ runtime }, flags) => showTool(await getImported(runtime, flags.required('name'))),
  },
  {
    name: 'tools check',
    about: 'Checks that one or every tool still matches what was approved; exits 1 if one does not.',
    flags: {},
    operands: [{ ...NAME, required: false }],
    run: runCheck,
  },
  {
    name: 'tools diff',
    about: 'Shows how the source differs from what was approved, as of the last check.',
    flags: {},
    operands: [NAME],
    run: runDiff,
  },
  {
    name: 'tools approve',
    about: 'Approves what the last check found; calls then use it.',
    flags: { hash: { value: 'HASH', about: 'approve only if it is still what tools diff showed' } },
    operands: [NAME],
    run: runApprove,
  },
  {
    name: 'tools set',
    about: 'Changes how a tool is presented and priced, from the next call on.',
    flags: PRESENTATION_FLAGS,
    operands: [NAME],
    run: runSet,
  },
  ...(['disable', 'enable'] as const).map((word): Command => {
    const disabled = word === 'disable';
    return {
      name: `tools ${word}`,
      about: disabled
        ? 'Disables a tool: calls are refused, and it is listed as unavailable.'
        : 'Enables a tool again.',
      flags: {},
      operands: [NAME],
      async run({ runtime, operator }, flags) {
        const tool = await changeTool(runtime, operatorName(operator), flags.required('name'), { disabled });
        const why = findImportedUnavailableReason(tool);
        return {
          lines: [`${tool.name} is ${why === null ? 'available' : `not available: ${why}`}`],
          json: { name: tool.name, available: why === null },
        };
      },
    };
  }),
  {
    name: 'tools remove',
    about: 'Removes a tool and the credentials saved for it. Its calls stay in the history.',
    flags: {},
    operands: [NAME],
    async run({ runtime, operator }, flags) {
      const name = flags.required('name');
      const credentials = await removeTool(runtime, operatorName(operator), name);
      const also =
        credentials > 0 ? ` ${credentials} credentials saved by accounts were removed with it.` : '';
      return { lines: [`Removed ${name}.${also}`], json: { name, removed: true, credentials } };
    },
  },
  {
    name: 'tools secret',
    about: "Saves the platform's own credential for a tool, read from standard input.",
    flags: { remove: { about: 'remove it instead' } },
    operands: [NAME, { name: 'slot', about: 'the credential; see tools show', required: true }],
    run: runSecret,
  },
];

async function runImport(
  { runtime, operator, readInput }: CommandContext,
  flags: Flags,
): Promise<CommandResult> {
  if (flags.has('yes') && flags.has('dry-run'))
    throw new UsageError('Use either --yes or --dry-run, not both.');
  await runtime.imports.refresh();
  const plan = await planImport(runtime, await parseImportRequest(flags, readInput));
  const { tool, leftOut, warnings } = plan;
  const done = flags.has('yes');
  if (done) await importTool(runtime, operatorName(operator), plan);
  const shown = showTool(done ? await getImported(runtime, tool.name) : tool);
  const verdict = done
    ? `Imported ${tool.name}: it can be called now, through every process within a second.`
    : flags.has('dry-run')
      ? 'Nothing was imported: this was a dry run.'
      : 'Nothing is imported yet. Run it again with --yes.';
  return {
    lines: [
      ...shown.lines,
      ...formatReasons('Left out', leftOut),
      ...formatReasons('Warnings', warnings),
      '',
      verdict,
    ],
    json: { ...shown.json, imported: done, left_out: leftOut, warnings },
    failed: !done && !flags.has('dry-run'),
  };
}

async function runList({ runtime }: CommandContext): Promise<CommandResult> {
  const tools = await listTools(runtime);
  return {
    lines:
      tools.length === 0
        ? ['No tools are imported. See tools import --help.']
        : tools.map((tool) => {
            const why = findImportedUnavailableReason(tool);
            const state =
              why === null
                ? tool.pendingDefinition
                  ? 'update'
                  : 'available'
                : tool.changedAt
                  ? 'CHANGED'
                  : 'stopped';
            return `${tool.name.padEnd(24)} ${state.padEnd(10)} ${String(tool.definition.skills.length).padStart(3)} skills  ${describeSource(tool)}`;
          }),
    json: { tools: tools.map((tool) => showTool(tool).json) },
  };
}

async function runCheck({ runtime }: CommandContext, flags: Flags): Promise<CommandResult> {
  const name = flags.text('name');
  const names = name === undefined ? (await listTools(runtime)).map((tool) => tool.name) : [name];
  const results: CheckResult[] = [];
  for (const one of names) results.push(await checkTool(runtime, one));
  const bad = results.filter(({ state }) => state === 'changed' || state === 'unreachable');
  return {
    lines: results.flatMap((result) => [
      `${result.name.padEnd(24)} ${result.state}${result.problem ? `: ${result.problem}` : ''}`,
      ...formatDifferences(result.differences),
    ]),
    json: { ok: bad.length === 0, tools: results },
    failed: bad.length > 0,
  };
}

async function runDiff({ runtime }: CommandContext, flags: Flags): Promise<CommandResult> {
  const tool = await getImported(runtime, flags.required('name'));
  const { name, definition, pendingDefinition: pending } = tool;
  if (!pending)
    return {
      lines: [`${name} matched what was approved at the last check.`],
      json: { name, differences: [] },
    };
  const differences = compareDefinitions(definition, pending);
  const hash = definitionHash(pending);
  return {
    lines: [
      ...differences.flatMap((difference) => formatDetails(difference, definition, pending)),
      '',
      `Approve it with: ${getAdminCommand()} tools approve ${name} --hash ${hash}`,
    ],
    json: { name, hash: tool.definitionHash, pending_hash: hash, differences, approved: definition, pending },
  };
}

async function runApprove({ runtime, operator }: CommandContext, flags: Flags): Promise<CommandResult> {
  const name = flags.required('name');
  const differences = await approveTool(runtime, operatorName(operator), name, flags.text('hash') ?? null);
  return {
    lines: [`Approved ${name}.`, ...formatDifferences(differences)],
    json: { name, approved: true, differences },
  };
}

async function runSet({ runtime, operator }: CommandContext, flags: Flags): Promise<CommandResult> {
  const price = parsePrice(flags);
  const shown = parsePresentation(flags);
  const skillPrices = Object.fromEntries(
    parseSkillPrices(flags).map(([skill, feeMicrousd]) => [skill, { feeMicrousd }]),
  );
  if (!price && Object.keys(shown).length + Object.keys(skillPrices).length === 0)
    throw new UsageError(
      'Name what to change: --price, --skill-price, --display-name, …; see tools set --help.',
    );
  const change = { shown, skillPrices, ...(price && { price }) };
  return showTool(await changeTool(runtime, operatorName(operator), flags.required('name'), change));
}

async function runSecret(
  { runtime, operator, readInput }: CommandContext,
  flags: Flags,
): Promise<CommandResult> {
  const name = flags.required('name');
  const slot = flags.required('slot');
  const value = flags.has('remove') ? null : (await readInput()).trim();
  if (value === '')
    throw new UsageError(
      `Standard input was empty: pipe the credential in, such as: printenv KEY | ${getAdminCommand()} tools secret …`,
    );
  await saveToolSecret(runtime, operatorName(operator), { name, slot, value });
  return {
    lines: [`${value === null ? 'Removed' : 'Saved'} the platform's own ${slot} of ${name}.`],
    json: { name, slot, saved: value !== null },
  };
}
