/** The first of a query parameter that may be missing or given several times. */
export function firstValue(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** The query of a page, as Next hands it over. */
export type QueryParams = Promise<Record<string, string | string[] | undefined>>;
