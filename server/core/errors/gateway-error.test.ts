import { expect, it, vi } from 'vitest';
import { CallFailure } from '../../calls/settlement/call-failure';
import { GatewayError } from './gateway-error';

it('recognizes an error that another copy of the class made, as Next bundles it twice', async () => {
  vi.resetModules();
  const copy = await import('./gateway-error');
  expect(copy.GatewayError).not.toBe(GatewayError);
  const error: unknown = new copy.GatewayError('AUTH_REQUIRED');
  expect(error instanceof GatewayError).toBe(true);
  expect(error instanceof CallFailure).toBe(false);
});

it('recognizes a subclass, and nothing that only has its name', () => {
  expect(new CallFailure('HANDLER_ERROR') instanceof GatewayError).toBe(true);
  expect(new GatewayError('NOT_FOUND') instanceof CallFailure).toBe(false);
  expect(Object.assign(new Error('x'), { name: 'GatewayError' }) instanceof GatewayError).toBe(false);
});
