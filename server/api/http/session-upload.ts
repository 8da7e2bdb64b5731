import type { UploadResult } from '../../assets/schema';
import { uploadAsset } from '../../assets/upload-asset';
import { GatewayError } from '../../core/errors/gateway-error';
import { methodNotAllowed } from '../../core/errors/method-not-allowed';
import type { HttpRequest } from '../../core/http/message';
import type { Runtime } from '../../core/runtime';
import type { Reply } from '../../core/trpc/context';
import { resolveActor } from '../../identity/sessions/resolve-actor';
import { readSession, restContext } from './request-context';

/** The dashboard uploads here. Answered outside Next, which may buffer bodies in memory. */
export const SESSION_UPLOAD_PATH = '/dashboard/assets/upload';

/**
 * The upload of /v1 for a signed-in user: a multipart body with the field `file`. Another site's
 * form would carry the cookies too, without a preflight, so the Origin must be ours (threats B15).
 * @throws GatewayError METHOD_NOT_ALLOWED, FORBIDDEN, AUTH_REQUIRED, and what `uploadAsset` throws
 */
export async function acceptSessionUpload(
  request: HttpRequest,
  runtime: Runtime,
  { requestId, reply }: { requestId: string; reply: Reply },
): Promise<UploadResult> {
  if (request.method !== 'POST') throw methodNotAllowed(request.method, ['POST']);
  const { baseUrl } = runtime.settings;
  if (request.header('origin') !== baseUrl)
    throw new GatewayError('FORBIDDEN', {
      message: 'Only the dashboard may upload files to this path.',
      hint: `Open this gateway at ${baseUrl}, or upload with an API key: POST /v1/assets/upload.`,
    });
  const context = {
    ...restContext(request, runtime, { requestId, reply, rest: { upload: true, errors: [] } }),
    credentials: readSession(request, baseUrl),
    transport: 'trpc' as const,
  };
  return await uploadAsset({ ...context, actor: await resolveActor(context, true) });
}
