import { EXIT } from '@/clients/cli/src/cli/exit-codes';
import { createCliSandbox } from '@/clients/cli/src/testing/cli-sandbox';
import { type OpenChannel, toOutcome } from './channel';

/**
 * The command `tool-gateway call` in this process, with JSON on standard output and standard error.
 * clients/cli/src/main.db.test.ts tests the installed program.
 */
export const cli: OpenChannel = async ({ baseUrl }, { key }) => {
  const sandbox = await createCliSandbox({ TOOL_GATEWAY_URL: baseUrl, TOOL_GATEWAY_KEY: key });
  return {
    async call({ tool, skill, input }) {
      // Without --no-retry it would wait and retry after a rate limit error.
      const args = ['call', tool, skill, '--input', JSON.stringify(input), '--json', '--no-retry'];
      const { code, stdout, stderr, json, error } = await sandbox.run(args);
      const outcome = toOutcome(json ?? error);
      if ('error' in outcome !== (code !== EXIT.ok))
        throw new Error(`The exit code ${code} contradicts the output: ${stdout}${stderr}`);
      return outcome;
    },
    close: () => sandbox.remove(),
  };
};
