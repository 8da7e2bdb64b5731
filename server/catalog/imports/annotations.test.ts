import { expect, it } from 'vitest';
import { getAnnotations } from './build-tool';
import type { PinnedSkill } from './definition';

const writes = { readOnly: false, idempotent: false, destructive: true };
const skill = { upstream: 'POST /v1/chat/completions', annotations: writes } as PinnedSkill;

it.each([
  [undefined, writes],
  [[], writes],
  [['GET *'], writes],
  [['POST /v1/*'], { readOnly: true, idempotent: true, destructive: false }],
])('with --read-only %j a skill has these annotations', (readOnly, expected) => {
  expect(getAnnotations({ readOnly }, skill)).toEqual(expected);
});
