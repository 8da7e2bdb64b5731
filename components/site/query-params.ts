/** The first value of a query parameter, which may be missing or repeated. */
export function firstValue(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** The query of a page, as passed by Next. */
export type QueryParams = Promise<Record<string, string | string[] | undefined>>;
