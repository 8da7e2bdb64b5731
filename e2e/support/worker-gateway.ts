/** The environment variable with the workers' gateways, in the order of TEST_PARALLEL_INDEX. */
export const GATEWAYS = 'E2E_GATEWAYS';

/** The email address of the operators' support. */
export const SUPPORT = 'support@e2e.test';

/** The gateway of one worker; no other worker uses it at the same time. */
export interface WorkerGateway {
  baseUrl: string;
  databaseUrl: string;
  /** The environment that the admin CLI needs for this gateway. */
  env: NodeJS.ProcessEnv;
}

let found: WorkerGateway | undefined;

/** The gateway of this worker, also after a failed test has replaced the worker process. */
export function workerGateway(): WorkerGateway {
  if (found) return found;
  const gateways: WorkerGateway[] = JSON.parse(process.env[GATEWAYS] ?? '[]');
  found = gateways[Number(process.env.TEST_PARALLEL_INDEX)];
  if (!found) throw new Error('No gateway was started. Check that globalSetup is configured.');
  return found;
}
