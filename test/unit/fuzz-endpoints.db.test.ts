import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcile } from '@/server/money/reconcile/reconcile';
import { findCommonFaults } from '../support/fuzz/check-response';
import {
  type EndpointFuzz,
  expectHarmless,
  FUZZ_TIMEOUT_MS,
  fuzz,
  startEndpointFuzz,
} from '../support/fuzz/endpoints';
import {
  hostileHeaders,
  hostileJson,
  hostileQuery,
  hostileSegment,
  hostileText,
  writeJson,
} from '../support/fuzz/hostile';
import { send } from '../support/fuzz/send';
import type { Harness } from '../support/harness';

// Fuzzes every endpoint that is not in the OpenAPI document: no 5xx and no internals.

let doors: EndpointFuzz;
let harness: Harness;
let key: string;
let cookie: string;
beforeAll(async () => {
  doors = await startEndpointFuzz();
  ({ harness, key, cookie } = doors);
});
afterAll(() => doors.close());

const methods = fc.constantFrom(
  ...['initialize', 'tools/list', 'tools/call', 'resources/list', 'resources/read', 'prompts/get', 'ping'],
  ...[
    'completion/complete',
    'notifications/cancelled',
    'notifications/initialized',
    'logging/setLevel',
    'x',
    '',
  ],
);

describe('over a socket', () => {
  const post = (target: string, type: string, text: string, more: [string, string][] = []) =>
    send(harness.baseUrl, {
      method: 'POST',
      target,
      headers: [['Content-Type', type], ...more],
      body: Buffer.from(text),
    });

  it(
    'MCP: invalid messages, and methods and params of every shape @D14',
    async () => {
      const params = fc.oneof(
        hostileJson,
        fc.record({
          name: fc.oneof(
            fc.constantFrom('call_tool', 'search_tools', 'get_balance', 'get_tool'),
            hostileText,
          ),
          arguments: hostileJson,
          uri: hostileText,
          _meta: hostileJson,
        }),
      );
      const message = fc.oneof(
        { weight: 1, arbitrary: hostileJson },
        {
          weight: 4,
          arbitrary: fc.record(
            {
              jsonrpc: fc.constant('2.0'),
              id: fc.oneof(fc.constant(1), hostileJson),
              method: methods,
              params,
            },
            { requiredKeys: ['jsonrpc', 'method'] },
          ),
        },
      );
      await fuzz(fc.tuple(message, hostileHeaders, fc.boolean()), async ([value, headers, withKey]) => {
        const credential: [string, string][] = withKey ? [['Authorization', `Bearer ${key}`]] : [];
        const accept: [string, string] = ['Accept', 'application/json, text/event-stream'];
        const answer = await post('/mcp', 'application/json', writeJson(value), [
          accept,
          ...credential,
          ...headers,
        ]);
        expectHarmless(harness, answer.status, answer.text);
        expect(findCommonFaults(answer), answer.text).toEqual([]);
      });
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'OAuth: registration, tokens, revocation and metadata @D14',
    async () => {
      const fields = fc.dictionary(
        fc.constantFrom(
          'grant_type',
          'client_id',
          'client_secret',
          'code',
          'code_verifier',
          'refresh_token',
          'token',
          'resource',
          'redirect_uri',
        ),
        fc.oneof(hostileText, fc.constantFrom('authorization_code', 'refresh_token')),
      );
      const form = fields.map((values) =>
        Object.entries(values)
          .map(([name, value]) => `${name}=${encodeURIComponent(Buffer.from(value).toString())}`)
          .join('&'),
      );
      const forms = fc.oneof(form, hostileQuery, hostileText);
      await fuzz(
        fc.tuple(fc.constantFrom('token', 'revoke'), forms, hostileHeaders),
        async ([name, text, headers]) => {
          const answer = await post(`/oauth/${name}`, 'application/x-www-form-urlencoded', text, headers);
          expectHarmless(harness, answer.status, answer.text);
          expect(findCommonFaults(answer), answer.text).toEqual([]);
        },
      );
      const metadata = fc.dictionary(
        fc.constantFrom(
          'client_name',
          'redirect_uris',
          'token_endpoint_auth_method',
          'grant_types',
          'logo_uri',
          'scope',
        ),
        fc.oneof(hostileJson, fc.constant(['https://a.example/cb'])),
      );
      await fuzz(fc.oneof(metadata, hostileJson), async (value) => {
        const answer = await post('/oauth/register', 'application/json', writeJson(value));
        expectHarmless(harness, answer.status, answer.text);
        expect(findCommonFaults(answer), answer.text).toEqual([]);
      });
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'files, metadata, uploads of the dashboard, and unknown paths',
    async () => {
      const target = fc
        .tuple(
          fc.constantFrom(
            '/files/',
            '/files/asset_x/',
            '/.well-known/oauth-',
            '/v1/',
            '/v2/',
            '/dashboard/assets/upload',
            '/healthz',
            '/openapi.json',
          ),
          fc.oneof(hostileSegment, fc.constant('')),
          hostileQuery,
        )
        .map(([base, segment, query]) =>
          `${base}${segment}${query === '' ? '' : `?${query}`}`.replaceAll(/[\s#]/g, '%20'),
        );
      const method = fc.constantFrom(
        'GET',
        'GET',
        'GET',
        'HEAD',
        'POST',
        'PUT',
        'DELETE',
        'OPTIONS',
        'PATCH',
      );
      await fuzz(
        fc.tuple(target, method, hostileHeaders, hostileText),
        async ([path, asked, headers, text]) => {
          const own: [string, string][] = [
            ['Cookie', cookie],
            ['Content-Type', 'multipart/form-data; boundary=x'],
          ];
          const body = asked === 'GET' || asked === 'HEAD' ? null : Buffer.from(text);
          const answer = await send(harness.baseUrl, {
            method: asked,
            target: path,
            headers: [...own, ...headers],
            body,
          });
          expectHarmless(harness, answer.status, answer.text);
          expect(findCommonFaults(answer), `${asked} ${path}: ${answer.text}`).toEqual([]);
        },
      );
    },
    FUZZ_TIMEOUT_MS,
  );
});

it('logs no error, and reconciliation finds no differences @D10', async () => {
  expect(harness.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});
