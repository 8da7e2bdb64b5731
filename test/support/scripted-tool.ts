import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { InputError, SkillError } from '@/server/core/errors/skill-error';
import type { ToolDefinition } from '@/server/tools/sdk/define-tool';
import { defineTestSkill, defineTestTool } from './test-tool';

/** A tool whose calls do what their input says. */
export interface ScriptedTool {
  tool: ToolDefinition;
  /** Lets calls pass the gate with this name, also those that arrive later. */
  open(gate: string): void;
}

const GATE_POLL_MS = 5;

const input = z.object({
  /** `log:text`, `progress:0.5`, `gate:name`, `pause:ms`. */
  steps: z.array(z.string()),
  end: z.enum(['success', 'failure', 'refusal']).default('success'),
});
const output = z.object({ steps: z.int() });

/** Skills: `run` runs in the process of the request, `queued` in a worker. */
export function createScriptedTool(): ScriptedTool {
  const gates = new Set<string>();
  const skill = (name: string, estimatedSeconds: number) =>
    defineTestSkill<z.infer<typeof input>, z.infer<typeof output>>({
      name,
      input,
      output,
      annotations: { readOnly: false, idempotent: false, estimatedSeconds },
      async run({ input: { steps, end }, log, progress, signal }) {
        for (const step of steps) {
          const [kind, value = ''] = step.split(':', 2);
          if (kind === 'log') log(value);
          if (kind === 'progress') progress(Number(value));
          if (kind === 'pause') await wait(Number(value), undefined, { signal });
          while (kind === 'gate' && !gates.has(value)) await wait(GATE_POLL_MS, undefined, { signal });
        }
        if (end === 'failure') throw new SkillError('The script fails.');
        if (end === 'refusal') throw new InputError('steps: the script refuses them.');
        return { output: { steps: steps.length } };
      },
    });
  return {
    tool: defineTestTool('script', [skill('run', 1), skill('queued', 30)]),
    open: (gate) => void gates.add(gate),
  };
}
