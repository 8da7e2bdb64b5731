import type { Harness } from '@/test/support/harness';

export const buildProbeCall = (skill: string, id = '') => ({ tool: 'probe', skill, input: { id } });

const EVENTS = { accept: 'text/event-stream' };

/** Every kind of request that accepts a key; `job` is a job of the key. */
export const KEY_REQUESTS: [string, (key: string, job: string) => Parameters<Harness['request']>][] = [
  ['a call', (key) => ['POST', '/v1/tools/call', { key, json: buildProbeCall('ok') }]],
  ['a paid call', (key) => ['POST', '/v1/tools/call', { key, json: buildProbeCall('ok_paid') }]],
  [
    'a dry run',
    (key) => ['POST', '/v1/tools/call', { key, json: { ...buildProbeCall('ok'), dry_run: true } }],
  ],
  ['a wrong input', (key) => ['POST', '/v1/tools/call', { key, json: { tool: 5 } }]],
  ['a body that is not JSON', (key) => ['POST', '/v1/tools/call', { key, raw: '{' }]],
  ['a stream', (key) => ['POST', '/v1/tools/call', { key, json: buildProbeCall('ok'), headers: EVENTS }]],
  [
    'a call as a job',
    (key) => ['POST', '/v1/tools/call', { key, json: buildProbeCall('ok'), headers: { prefer: 'wait=0' } }],
  ],
  [
    'a batch',
    (key) => [
      'POST',
      '/v1/tools/batch',
      { key, json: { calls: [buildProbeCall('ok'), buildProbeCall('ok')] } },
    ],
  ],
  ['a poll for its job', (key, job) => ['GET', `/v1/jobs/${job}`, { key }]],
  ['a poll that waits', (key, job) => ['GET', `/v1/jobs/${job}`, { key, headers: { prefer: 'wait=5' } }]],
  ['a cancel', (key, job) => ['POST', `/v1/jobs/${job}/cancel`, { key }]],
  ['the balance', (key) => ['GET', '/v1/billing/balance', { key }]],
  ['the list of keys', (key) => ['GET', '/v1/keys', { key }]],
  ['a new key', (key) => ['POST', '/v1/keys', { key, json: { name: 'heir' } }]],
  ['the history', (key) => ['GET', '/v1/usage/history', { key }]],
];
