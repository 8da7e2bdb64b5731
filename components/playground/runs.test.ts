import { expect, test } from 'vitest';
import { changeRuns, type Run, type RunAction } from './runs';

const call = { tool: 'diagnostics', skill: 'sleep', input: {} };
const begin: RunAction = { kind: 'begin', number: 1, call, at: 1 };
const leave: RunAction = { kind: 'leave', number: 1, at: 2 };
const cancelled: RunAction = { kind: 'cancelled', number: 1, at: 4 };
const error = { code: 'HANDLER_ERROR', message: 'The call was cancelled.', resolution_hint: '' };
const failed: RunAction = {
  kind: 'event',
  number: 1,
  event: { id: 'end', event: 'error', data: { error } },
  at: 3,
};
const succeeded: RunAction = {
  kind: 'event',
  number: 1,
  event: { id: 'end', event: 'result', data: { id: 'call_1', output: 1 } },
  at: 3,
};

const applyAll = (...actions: RunAction[]): Run | undefined =>
  actions.reduce<readonly Run[]>(changeRuns, [])[0];

test.each([
  ['before its stream ends', [begin, cancelled], 4],
  ['after its stream reported the error', [begin, failed, cancelled], 3],
  ['before its stream reports the error', [begin, cancelled, failed], 4],
  ['after its stream was left', [begin, leave, cancelled], 2],
])('a call cancelled %s is shown as cancelled', (_, actions, endedAt) => {
  expect(applyAll(...actions)).toMatchObject({ state: 'cancelled', error: null, endedAt });
});

test('a call that has succeeded stays so', () => {
  expect(applyAll(begin, succeeded, cancelled, failed)?.state).toBe('succeeded');
});
