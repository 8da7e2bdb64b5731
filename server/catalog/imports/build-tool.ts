import { SkillError } from '../../core/errors/skill-error';
import { cleanLine } from '../../kit/clean-text';
import { getOwnValue } from '../../kit/own-value';
import type { McpEra } from '../../platform/ports/mcp-upstream';
import type { Ports } from '../../platform/ports/ports';
import {
  type AnySkill,
  defineTool,
  type JsonSchema,
  type SkillResult,
  type ToolDefinition,
} from '../../tools/sdk/define-tool';
import type { SkillContext } from '../../tools/sdk/skill-context';
import type { PinnedSkill } from './definition';
import {
  findCallerCredential,
  findImportedUnavailableReason,
  getOrigin,
  type ImportedTool,
  type Presentation,
} from './imported';
import { toPrice } from './imported-price';
import { ANY_MCP_OUTPUT, addBlocksField, BLOCKS_FIELD } from './mcp-output';
import { ANY_OPERATION_OUTPUT } from './operation-output';
import { runMcpHttp, runMcpStdio } from './run-mcp-skill';
import { runOperation } from './run-operation';
import { fitsAny } from './skill-names';
import type { Program, StdioPrograms } from './stdio-programs';
import { validateJson } from './validate-json';

const MAX_RETURNS_CHARS = 160;

/** Dependencies of an imported tool. */
export interface BuildDeps {
  ports: Pick<Ports, 'outboundTo'>;
  programs: StdioPrograms;
  /** The environment variables of its program. */
  env: Readonly<Record<string, string>>;
}

/**
 * Converts a stored tool to a definition like that of a built-in tool. Compiles schemas and
 * contacts the upstream only on the first call.
 */
export function buildTool(tool: ImportedTool, deps: BuildDeps): ToolDefinition {
  const { presentation } = tool;
  const why = findImportedUnavailableReason(tool);
  const origin = getOrigin(tool.source);
  const skills = tool.definition.skills.flatMap((pinned) => {
    const name = getOwnValue(presentation.names, pinned.upstream);
    return name === undefined ? [] : [buildSkill(tool, pinned, name, why, deps)];
  });
  return defineTool({
    name: tool.name,
    displayName: presentation.displayName,
    subtitle: presentation.subtitle,
    description: presentation.description,
    categories: presentation.categories,
    version: tool.version,
    skills,
    ...(tool.allowPrivate && origin !== null && { outbound: deps.ports.outboundTo(origin) }),
    ...(why !== null && { findEngine: async () => ({ reason: why }) }),
  });
}

function buildSkill(
  tool: ImportedTool,
  pinned: PinnedSkill,
  name: string,
  why: string | null,
  deps: BuildDeps,
): AnySkill {
  const slot = findCallerCredential(tool);
  const secured = pinned.request ? pinned.request.scheme !== null : true;
  const send = createRunner(tool, pinned, deps);
  const input = validateJson(pinned.input);
  const run: AnySkill['run'] = async (context) =>
    send(context, await input.markNumbers(context.input, () => context.signal));
  const outputSchema = readOutputSchema(pinned);
  // The upstream may allow no other fields.
  const isExtended = outputSchema !== pinned.output;
  const output = validateJson(pinned.output ?? outputSchema, isExtended ? BLOCKS_FIELD : undefined);
  return {
    name,
    displayName: pinned.title,
    description: pinned.description || pinned.title,
    input: input.schema,
    output: output.schema,
    slowChecks: { input: input.further, output: output.further },
    givenSchemas: { input: pinned.input, output: outputSchema },
    returns: cleanLine(
      pinned.output?.description ?? `The response of ${tool.presentation.displayName}.`,
      MAX_RETURNS_CHARS,
    ),
    examples: [],
    price: toPrice(getOwnValue(tool.skillPrices, name) ?? tool.price),
    ...(slot && secured && { requirements: [slot.slot] }),
    annotations: {
      ...getAnnotations(tool.presentation, pinned),
      estimatedSeconds: tool.presentation.estimatedSeconds,
    },
    // Calls that were queued before the tool was stopped reach this without a check.
    run:
      why === null
        ? run
        : () =>
            Promise.reject(
              new SkillError(`${tool.presentation.displayName} is unavailable: ${why}`, {
                failure: 'TOOL_UNAVAILABLE',
              }),
            ),
  };
}

function readOutputSchema({ request, output }: PinnedSkill): JsonSchema {
  if (request) return output ?? ANY_OPERATION_OUTPUT;
  return output ? addBlocksField(output) : ANY_MCP_OUTPUT;
}

/** The annotations of the source, or those of a skill that the operator declared to only read. */
export function getAnnotations(
  { readOnly = [] }: Pick<Presentation, 'readOnly'>,
  { upstream, annotations }: PinnedSkill,
): PinnedSkill['annotations'] {
  return fitsAny(upstream, readOnly) ? { readOnly: true, idempotent: true, destructive: false } : annotations;
}

/** Sends a call to the upstream, with its input as it is to be sent. */
type Send = (
  context: SkillContext<Record<string, unknown>>,
  input: Record<string, unknown>,
) => Promise<SkillResult<Record<string, unknown>>>;

function createRunner(tool: ImportedTool, pinned: PinnedSkill, { programs, env }: BuildDeps): Send {
  const { source } = tool;
  const isSecured = findCallerCredential(tool) !== null;
  const era = tool.connection as McpEra | null;
  switch (source.kind) {
    case 'mcp-http':
      return (context, input) => runMcpHttp(context, { url: source.url, era, pinned, isSecured, input });
    case 'mcp-stdio': {
      const { command, args, env: variables = {} } = source;
      const { name, definition } = tool;
      const program: Program = { tool: name, command, args, variables, env, era, definition };
      return (context, input) => runMcpStdio(context, { programs, program, pinned, input });
    }
    case 'openapi': {
      let base: URL | undefined;
      return (context, input) => {
        base ??= new URL(pinned.request?.server ?? source.server);
        return runOperation(context, { base, pinned, isSecured, input });
      };
    }
  }
}
