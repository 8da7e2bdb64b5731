import { CopyButton } from '../ui/copy-button';

/** What one says to an agent so that it can use the gateway by itself. */
export function agentPrompt(baseUrl: string): string {
  return [
    `You can use tools through the Tool Gateway at ${baseUrl}. Get a key with POST /v1/auth/provision, no sign-up needed, and send it as "Authorization: Bearer".`,
    'Find a tool with GET /v1/tools/search?q=what you want to do. Call it with POST /v1/tools/call and {"tool", "skill", "input"}; with "dry_run": true it only checks the input and the price.',
    `The documentation is at ${baseUrl}/llms.txt, the whole contract at ${baseUrl}/openapi.json. Where something needs credit, give me the claim_url that came with the key.`,
  ].join('\n\n');
}

export function ForAgents({ baseUrl }: { baseUrl: string }) {
  const prompt = agentPrompt(baseUrl);
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
          Paste this into its instructions. It is all it needs: it gets its own key, finds what it can use,
          and comes back to you only when something costs money.
        </p>
      </div>
      <div className="relative min-w-0 rounded-lg border bg-sunken">
        <p className="whitespace-pre-wrap p-4 pr-14 font-mono text-xs leading-5 [overflow-wrap:anywhere] sm:p-5 sm:pr-16">
          {prompt}
        </p>
        <CopyButton
          value={prompt}
          label="Copy the instructions for an agent"
          className="absolute top-2 right-2 bg-sunken"
        />
      </div>
    </section>
  );
}
