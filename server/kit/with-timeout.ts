/**
 * Waits for the work, which is not ended when it takes longer.
 * @param late gives the result after the time limit, or throws, as it does if it is omitted
 */
export async function withTimeout<Result, Late = never>(
  work: Promise<Result>,
  limitMs: number,
  late: () => Late = () => {
    throw new Error(`No result within ${limitMs} ms`);
  },
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, limitMs, 'late');
  });
  try {
    const won = await Promise.race([work.then((result) => ({ result })), limit]);
    return won === 'late' ? late() : won.result;
  } finally {
    clearTimeout(timer);
  }
}
