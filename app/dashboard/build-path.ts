/** The path with the query it was requested with, for the redirect back after signing in. */
export function buildPath(path: string, params: Record<string, string | string[] | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    for (const each of Array.isArray(value) ? value : [value]) if (each) query.append(name, each);
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
