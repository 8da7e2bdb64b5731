/** Problem details (RFC 9457). */
export interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  detail: string;
  [extension: string]: unknown;
}

/** A refusal in the form that a standard prescribes for it, not in our Error shape. Safe to show. */
export class ProblemError extends Error {
  readonly problem: ProblemDetails;
  readonly headers: Record<string, string>;

  constructor(problem: ProblemDetails, headers: Record<string, string>) {
    super(problem.detail);
    this.name = 'ProblemError';
    this.problem = problem;
    this.headers = headers;
  }
}

/** The problem in what was thrown; tRPC wraps what a procedure throws. */
export function findProblem(thrown: unknown): ProblemError | null {
  if (thrown instanceof ProblemError) return thrown;
  return thrown instanceof Error && thrown.cause instanceof ProblemError ? thrown.cause : null;
}
