import type { TRPCError } from '@trpc/server';
import { errorBody } from '../errors/error-body';
import { toGatewayError } from '../errors/to-gateway-error';

interface FormatterInput {
  error: TRPCError;
  shape: { message: string; code: number; data: { code: string; httpStatus: number; path?: string } };
  ctx?: { requestId: string; runtime: { settings: { baseUrl: string } } } | undefined;
}

/** tRPC's error shape for the dashboard: our Error object under `data.gateway`, without a stack. */
export function formatError({ error, shape, ctx }: FormatterInput) {
  const known = toGatewayError(error);
  return {
    ...shape,
    message: known.message,
    data: {
      code: shape.data.code,
      httpStatus: known.status,
      path: shape.data.path,
      gateway: errorBody(known, ctx?.requestId ?? '', ctx?.runtime.settings.baseUrl ?? '').error,
    },
  };
}
