import { TRPCError } from '@trpc/server';
import type { GatewayError } from '../../core/errors/gateway-error';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import type { RequestContext } from '../../core/trpc/context';
import { t } from '../../core/trpc/init';
import { nameSkills } from '../prepare/name-skills';
import { recordRefusal } from './record-refusal';

/**
 * The first part of procedures that run calls: records calls that are refused, and lists the
 * skills of the tool in an error about `skill`. Does nothing if the call succeeds.
 */
export const recordingProcedure = t.procedure.use(({ ctx, next, getRawInput }) => {
  let body: Promise<unknown> | undefined;
  const readOnce = () => {
    body ??= getRawInput();
    return body;
  };
  return next({ getRawInput: readOnce }).then(async (result) => {
    if (result.ok) return result;
    // Not read if the key was refused: then the body stays unparsed.
    const call = await body?.catch(() => null);
    const error = toGatewayError(result.error);
    if (result.error.code !== 'BAD_REQUEST' || !body) {
      record(ctx, error, call);
      return result;
    }
    const cause = nameSkills(ctx.runtime.tools, call, error);
    record(ctx, cause, call);
    return { ...result, error: new TRPCError({ code: 'BAD_REQUEST', cause }) };
  });
});

function record(
  { runtime, requestId, clientIp, reply }: RequestContext,
  error: GatewayError,
  call: unknown,
): void {
  const isDryRun = typeof call === 'object' && call !== null && 'dry_run' in call && call.dry_run === true;
  if (!isDryRun) recordRefusal({ runtime, requestId, clientIp, actor: reply.actor }, error, call);
}
