import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { callSamples, curlCall, pythonLiteral, shellQuote } from './call-samples';

const AWKWARD = {
  quote: `it's "quoted" \\ and $HOME \`x\``,
  lines: 'a\nb\tc',
  unicode: 'ü 漢 😀',
  flags: [true, false, null],
  nested: { empty: {}, none: [], n: -1.5e-7 },
};

describe('call samples', () => {
  it('quotes the body so that a shell passes it to curl unchanged', () => {
    const body = JSON.stringify(AWKWARD);
    const seen = execFileSync('sh', ['-c', `printf %s ${shellQuote(body)}`], { encoding: 'utf8' });
    expect(seen).toBe(body);
    expect(curlCall('http://localhost:3000', { tool: 't', skill: 's', input: AWKWARD })).toContain(
      shellQuote(JSON.stringify({ tool: 't', skill: 's', input: AWKWARD })),
    );
  });

  it('writes JSON literals as Python literals', () => {
    expect(pythonLiteral({ a: true, b: [null, 1], c: {} }, 0)).toBe(
      '{\n    "a": True,\n    "b": [None, 1],\n    "c": {},\n}',
    );
  });

  it('has one sample per language, each reading the key from the environment', () => {
    const samples = callSamples('http://localhost:3000', { tool: 'math', skill: 'evaluate', input: {} });
    expect(samples.map((sample) => sample.language)).toEqual(['curl', 'TypeScript', 'Python']);
    for (const { code } of samples) expect(code).toContain('TOOL_GATEWAY_KEY');
  });
});
