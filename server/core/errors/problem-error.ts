/** Problem details (RFC 9457). */
export interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  detail: string;
  [extension: string]: unknown;
}

/** An error in the format that a standard prescribes, instead of our Error object. Safe to show. */
export class ProblemError extends Error {
  readonly problem: ProblemDetails;
  readonly headers: Record<string, string>;
  /** The payment challenges of the headers, for a transport without headers (MCP). */
  readonly challenges: readonly object[];

  constructor(problem: ProblemDetails, headers: Record<string, string>, challenges: readonly object[] = []) {
    super(problem.detail);
    this.name = 'ProblemError';
    this.problem = problem;
    this.headers = headers;
    this.challenges = challenges;
  }
}

/**
 * Returns the ProblemError among a thrown error and its cause: tRPC wraps what procedures throw.
 */
export function findProblem(thrown: unknown): ProblemError | null {
  if (thrown instanceof ProblemError) return thrown;
  return thrown instanceof Error && thrown.cause instanceof ProblemError ? thrown.cause : null;
}
