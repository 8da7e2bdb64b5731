import { CopyButton } from '../ui/copy-button';
import { IntentLink } from '../ui/intent-link';

/** Instructions to paste to an agent so that it can use the gateway on its own. */
export function agentPrompt(name: string, baseUrl: string, provisioning = true): string {
  const key = provisioning
    ? 'Get a key with POST /v1/auth/provision, no sign-up needed, and send it as "Authorization: Bearer".'
    : 'Send the API key that I give you as "Authorization: Bearer".';
  const credit = provisioning
    ? 'If something needs credit, give me the claim_url that came with the key.'
    : 'If something needs credit, ask me.';
  return [
    `You can use tools through ${name} at ${baseUrl}. ${key}`,
    'Find a tool with GET /v1/tools/search?q=what you want to do. Call it with POST /v1/tools/call and {"tool", "skill", "input"}; with "dry_run": true it only checks the input and the price.',
    `The documentation is at ${baseUrl}/llms.txt, the full API description at ${baseUrl}/openapi.json. ${credit}`,
  ].join('\n\n');
}

interface ForAgentsProps {
  name: string;
  baseUrl: string;
  provisioning: boolean;
}

export function ForAgents({ name, baseUrl, provisioning }: ForAgentsProps) {
  const prompt = agentPrompt(name, baseUrl, provisioning);
  return (
    <section
      aria-labelledby="for-agents"
      className="grid gap-x-14 gap-y-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)]"
    >
      <div className="flex flex-col gap-2">
        <h2 id="for-agents" className="text-2xl">
          For your agent
        </h2>
        <p className="max-w-md text-muted">
          Paste this into its instructions{provisioning ? '. It gets its own key,' : ', with a key. It'} finds
          the tools it needs, and comes back to you only when something costs money.
        </p>
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <div className="relative rounded-lg border bg-sunken">
          <p className="whitespace-pre-wrap p-4 pr-14 font-mono text-xs leading-5 [overflow-wrap:anywhere] sm:p-5 sm:pr-16">
            {prompt}
          </p>
          <CopyButton
            value={prompt}
            label="Copy the instructions for an agent"
            className="absolute top-2 right-2 bg-sunken"
          />
        </div>
        <Address
          said="Chat apps and editors connect over MCP:"
          value={`${baseUrl}/mcp?auth=required`}
          label="Copy the MCP URL"
        />
        <p className="text-muted text-sm">
          They ask you to sign in and set a credit limit.{' '}
          <IntentLink href="/docs/mcp" className="link">
            Connect one
          </IntentLink>
          , or use{' '}
          <IntentLink href="/docs/cli" className="link">
            the command line
          </IntentLink>
          .
        </p>
      </div>
    </section>
  );
}

function Address({ said, value, label }: { said: string; value: string; label: string }) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span>{said}</span>
      <span className="flex min-w-0 items-center gap-1 rounded-md border bg-sunken pl-3">
        <code className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">{value}</code>
        <CopyButton value={value} label={label} />
      </span>
    </div>
  );
}
