import { parseHTML } from 'linkedom';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { UsageCall } from '@/server/usage/schema';
import { CALL_COLUMNS, CALL_COLUMNS_OF_KEY } from './call-columns';

const CALL: UsageCall = {
  id: 'call_1',
  created_at: '2026-11-02T09:00:00Z',
  finished_at: '2026-11-02T09:00:01Z',
  tool: 'math',
  skill: 'evaluate',
  status: 'error',
  error_message: 'The tool failed.',
  error_code: 'INVALID_INPUT',
  cost_usd: 0,
  raw_cost_usd: 0,
  markup_usd: 0,
  billing: 'personal',
  byok: false,
  key_id: 'key_1',
  key_name: 'agent',
  key_kind: 'api',
  key_is_yours: true,
  latency_ms: 12,
  job_id: null,
  request_id: null,
  account: { id: 'acct_1', slug: null, name: 'Personal' },
  member: null,
  client_address: null,
};

it.each([
  ['of an account', CALL_COLUMNS, 'agent'],
  ['of a key', CALL_COLUMNS_OF_KEY, ''],
])('a list of calls %s says with which code a call failed', (_, columns, key) => {
  const read = (call: UsageCall) => {
    const cell = columns.find(({ id }) => id === 'status')?.cell(call);
    return parseHTML(renderToStaticMarkup(createElement('div', null, cell))).document.documentElement
      .textContent;
  };
  expect(read(CALL)).toBe(`INVALID_INPUT${key}`);
  expect(read({ ...CALL, status: 'success', error_code: null })).toBe(`Succeeded${key}`);
});
