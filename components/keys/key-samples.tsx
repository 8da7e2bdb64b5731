import type { ApiKey } from '@/server/identity/keys/schema';
import { callSamples } from '../shared/call-samples';
import { envLines, FIRST_CALL, mcpConfig } from '../shared/snippets';
import { Card, CardBody, CardHeader } from '../ui/card';
import { CodeBlock } from '../ui/code-block';

/** How to use a key that works, with its mask in place of the secret. */
export function KeySamples({ apiKey, origin }: { apiKey: ApiKey; origin: string }) {
  // The keys of the playground and of applications have no secret that a person could use.
  const isUsable = apiKey.status === 'active' && !apiKey.expired && apiKey.key_prefix.startsWith('tg_');
  if (!isUsable) return null;
  return (
    <Card>
      <CardHeader title="Use this key" description="Replace the mask with the secret of the key." />
      <CardBody>
        <CodeBlock
          label={`Code samples for ${apiKey.name}`}
          samples={[
            { language: '.env', code: envLines(origin, apiKey.key_prefix) },
            ...(allowsFirstCall(apiKey) ? callSamples(origin, FIRST_CALL) : []),
            { language: 'MCP', code: mcpConfig(origin, apiKey.key_prefix) },
          ]}
          bodyClassName="max-h-80"
        />
      </CardBody>
    </Card>
  );
}

/** Whether the key may make the call of the samples. */
export function allowsFirstCall({ allowed_tools: allowed }: ApiKey): boolean {
  const { tool, skill } = FIRST_CALL;
  return allowed === null || allowed.includes(tool) || allowed.includes(`${tool}.${skill}`);
}
