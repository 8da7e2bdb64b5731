import { EXIT } from '@/clients/cli/src/cli/exit-codes';
import { openDesk } from '@/clients/cli/src/testing/type-command';
import { type OpenChannel, outcomeOf } from './channel';

/**
 * The command `tool-gateway call`, on streams of its own: data on standard output, errors on standard error, both as JSON.
 * That the installed program is this command is tested with it (clients/cli/src/main.db.test.ts).
 */
export const cli: OpenChannel = async ({ baseUrl }, { key }) => {
  const desk = await openDesk({ TOOL_GATEWAY_URL: baseUrl, TOOL_GATEWAY_KEY: key });
  return {
    async call({ tool, skill, input }) {
      // Of a refusal that would pass by itself it waits for the end, unless told not to.
      const args = ['call', tool, skill, '--input', JSON.stringify(input), '--json', '--no-retry'];
      const { code, stdout, stderr, json, error } = await desk.type(args);
      const outcome = outcomeOf(json ?? error);
      if ('error' in outcome !== (code !== EXIT.ok))
        throw new Error(`It ended with ${code}, which says otherwise than what it wrote: ${stdout}${stderr}`);
      return outcome;
    },
    close: () => desk.leave(),
  };
};
