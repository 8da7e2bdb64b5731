import { describe, expect, it } from 'vitest';
import { judge, ToCome } from './judge.mjs';

const output = (...lines: string[]) => ({ code: 0, stdout: `${lines.join('\n')}\n`, stderr: '' });

describe('an acceptance script', () => {
  it('passes with its sum', () => {
    const run = output('ok   A-01 x', 'skip A-02 y -- why', '# 1 s', '1 passed, 0 failed');
    expect(judge(run, null)).toEqual({ passed: 1, skipped: 1, expected: 0, failures: [] });
  });

  it('fails where it breaks off, dies, or says another sum', () => {
    for (const run of [
      output('ok   A-01 x'),
      output('ok   A-01 x', '2 passed, 0 failed'),
      { ...output('ok   A-01 x', '1 passed, 0 failed'), code: 1 },
      { ...output('FAIL A-01 x', '0 passed, 1 failed'), code: 0 },
    ])
      expect(judge(run, new ToCome(['GET /v1/x'])).failures.at(-1)).toContain('it ended with code');
  });

  it('may fail for exactly the routes to come', () => {
    const toCome = new ToCome(['POST /v1/tools/batch', 'GET /v1/jobs/{jobId}']);
    const failed = [
      'FAIL OAS-20:POST /v1/tools/batch bad 404 the status is documented -- x',
      'FAIL AUTH-01:POST /v1/tools/batch without a key: 401',
      'FAIL AUTH-01:POST /v1/tools/batches another route',
      'FAIL AUTH-01:POST /v1/tools/call about POST /v1/tools/batch',
      'FAIL ERR-01:/v1/nope unknown route',
    ];
    const run = { ...output(...failed, '0 passed, 5 failed'), code: 1 };
    const { expected, failures } = judge(run, toCome);
    expect(expected).toBe(2);
    expect(failures).toEqual(failed.slice(2));
    expect(toCome.rules).toBe(2);
    expect(toCome.arrived()).toEqual(['GET /v1/jobs/{jobId}']);
  });
});
