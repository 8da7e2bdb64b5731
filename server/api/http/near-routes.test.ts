import { describe, expect, it } from 'vitest';
import { findNearRoute, formatRoute, listRoutesBelow } from './near-routes';
import { collectRoutes } from './routes';

const routes = collectRoutes();
const near = (method: string, path: string) => {
  const route = findNearRoute(routes, method, path);
  return route && formatRoute(route);
};

describe('the route that was meant', () => {
  it.each([
    ['POST', '/tools/call', 'POST /v1/tools/call'],
    ['POST', '/api/v1/tools/call', 'POST /v1/tools/call'],
    ['POST', '/v1/tool/call', 'POST /v1/tools/call'],
    ['POST', '/v2/tools/call', 'POST /v1/tools/call'],
    ['POST', '/v1/Tools/Call/', 'POST /v1/tools/call'],
    ['POST', '/v1/call', 'POST /v1/tools/call'],
    ['GET', '/api/v1/tools', 'GET /v1/tools'],
    ['GET', '/v1/search', 'GET /v1/tools/search'],
    ['GET', '/v1/balance', 'GET /v1/billing/balance'],
    ['GET', '/v1/job/job_1', 'GET /v1/jobs/{jobId}'],
    ['POST', '/v1/upload', 'POST /v1/assets/upload'],
    ['POST', '/v1/provision', 'POST /v1/auth/provision'],
    ['GET', '/v1/nothing/of/this/kind', undefined],
    ['GET', '/v1/', undefined],
  ])('of %s %s is %s', (method, path, route) => {
    expect(near(method, path)).toBe(route);
  });

  it('is listed where the path has no such method', () => {
    expect(listRoutesBelow(routes, 'POST', '/v1/tools/text')).toEqual([
      'POST /v1/tools/call',
      'POST /v1/tools/batch',
    ]);
  });
});
