import { describe, expect, it } from 'vitest';
import { parseScriptOutput } from '../system/acceptance/script-output';

const output = (...lines: string[]) => ({ code: 0, stdout: `${lines.join('\n')}\n`, stderr: '' });

describe('the parser of acceptance scripts', () => {
  it('accepts a complete run', () => {
    const run = output('ok   A-01 x', 'skip A-02 y -- why', '# 1 s', '1 passed, 0 failed');
    expect(parseScriptOutput(run)).toEqual({ passed: 1, skipped: 1, failures: [] });
  });

  it('fails a script that stops early, crashes or prints a wrong summary', () => {
    for (const run of [
      output('ok   A-01 x'),
      output('ok   A-01 x', '2 passed, 0 failed'),
      { ...output('ok   A-01 x', '1 passed, 0 failed'), code: 1 },
      { ...output('FAIL A-01 x', '0 passed, 1 failed'), code: 0 },
    ])
      expect(parseScriptOutput(run).failures.at(-1)).toContain('it exited with code');
  });

  it('reports each failed rule', () => {
    const failed = [
      'FAIL OAS-20:POST /v1/x 404 the status is documented -- x',
      'FAIL ERR-01:/v1/nope unknown route',
    ];
    const run = { ...output(...failed, 'ok   A-01 x', '1 passed, 2 failed'), code: 1 };
    expect(parseScriptOutput(run)).toEqual({ passed: 1, skipped: 0, failures: failed });
  });
});
