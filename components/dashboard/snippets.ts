import type { CodeSample } from '../ui/code-block';

/** Where a person keeps the key while trying things out. */
export const KEY_VARIABLE = 'GATEWAY_KEY';

interface ExampleCall {
  tool: string;
  skill: string;
  input: Record<string, unknown>;
}

/** Free, needs nothing, and its answer shows at once that it worked. */
export const FIRST_CALL: ExampleCall = {
  tool: 'math',
  skill: 'evaluate',
  input: { expression: '2 * (3 + 4)' },
};
/** Costs exactly what it says. */
export const FIRST_PAID_CALL: ExampleCall = {
  tool: 'diagnostics',
  skill: 'spend',
  input: { amount_usd: 0.001 },
};

/** A curl command that takes the key from the environment. */
export function curlWithVariable(origin: string, call: ExampleCall): string {
  return curl(origin, call, `"Authorization: Bearer $${KEY_VARIABLE}"`);
}

function curl(origin: string, call: ExampleCall, authorization: string): string {
  return [
    `curl -s ${origin}/v1/tools/call \\`,
    `  -H ${authorization} \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(call)}'`,
  ].join('\n');
}

/** The first call with this key in it, in three languages; each works as it is. */
export function firstCallSamples(origin: string, secret: string): CodeSample[] {
  return [
    { language: 'curl', code: curl(origin, FIRST_CALL, `'Authorization: Bearer ${secret}'`) },
    { language: 'TypeScript', code: typescript(origin, secret) },
    { language: 'Python', code: python(origin, secret) },
  ];
}

function typescript(origin: string, secret: string): string {
  return `const response = await fetch('${origin}/v1/tools/call', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ${secret}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    tool: '${FIRST_CALL.tool}',
    skill: '${FIRST_CALL.skill}',
    input: ${JSON.stringify(FIRST_CALL.input)},
  }),
});
const call = await response.json();
if (!response.ok) throw new Error(call.error.message);
console.log(call.output, call.usage.cost);`;
}

function python(origin: string, secret: string): string {
  return `import json
import urllib.request

request = urllib.request.Request(
    "${origin}/v1/tools/call",
    headers={
        "Authorization": "Bearer ${secret}",
        "Content-Type": "application/json",
    },
    data=json.dumps({
        "tool": "${FIRST_CALL.tool}",
        "skill": "${FIRST_CALL.skill}",
        "input": ${JSON.stringify(FIRST_CALL.input)},
    }).encode(),
)
with urllib.request.urlopen(request) as response:
    call = json.load(response)
print(call["output"], call["usage"]["cost"])`;
}
