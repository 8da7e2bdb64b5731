import type { UploadResult } from '../../assets/schema';
import { uploadAsset } from '../../assets/upload-asset';
import { GatewayError } from '../../core/errors/gateway-error';
import type { HttpRequest } from '../../core/http/message';
import type { Runtime } from '../../core/runtime';
import type { Reply } from '../../core/trpc/context';
import { resolveActor } from '../../identity/sessions/resolve-actor';
import { readSession, restContext } from './request-context';

/** Where the dashboard sends its files. Answered beside `/v1`: on its way through Next a body may be kept in memory. */
export const SESSION_UPLOAD_PATH = '/dashboard/assets/upload';

/**
 * The upload of /v1 for a signed-in person: a multipart body with the field file, only from a page of our own. Cookies
 * come with a form of another site too, and such a body needs no preflight: the Origin decides (threats B15).
 * @throws GatewayError METHOD_NOT_ALLOWED, FORBIDDEN, AUTH_REQUIRED, and what `uploadAsset` throws
 */
export async function acceptSessionUpload(
  request: HttpRequest,
  runtime: Runtime,
  { requestId, reply }: { requestId: string; reply: Reply },
): Promise<UploadResult> {
  if (request.method !== 'POST') throw new GatewayError('METHOD_NOT_ALLOWED', { headers: { Allow: 'POST' } });
  const { baseUrl } = runtime.settings;
  if (request.header('origin') !== baseUrl)
    throw new GatewayError('FORBIDDEN', {
      message: 'Files are taken from the dashboard only.',
      hint: `Open this gateway at ${baseUrl}, or upload with a key: POST /v1/assets/upload.`,
    });
  const context = {
    ...restContext(request, runtime, { requestId, reply, rest: { upload: true, errors: [] } }),
    credentials: readSession(request, baseUrl),
    transport: 'trpc' as const,
  };
  return await uploadAsset({ ...context, actor: await resolveActor(context, true) });
}
