import { GatewayError } from '../../core/errors/gateway-error';

/** The error for a job that does not exist, or belongs to another account. */
export function jobNotFound(): GatewayError {
  return new GatewayError('NOT_FOUND', {
    message: 'Your account has no job with this id.',
    hint: {
      rest: 'Use the job_id of a pending call; GET /v1/jobs lists the jobs of this account.',
      mcp: 'Use the job_id of a pending call; list_jobs lists the jobs of this account.',
    },
  });
}
