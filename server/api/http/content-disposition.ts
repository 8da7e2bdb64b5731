/**
 * Formats Content-Disposition (RFC 6266) with the filename twice: as ASCII for old clients and as
 * UTF-8 (RFC 8187) for others.
 * @param filename any text; it is escaped, so it cannot break out of the header or the quotes
 */
export function contentDisposition(kind: 'attachment' | 'inline', filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const extended = encodeURIComponent(filename.replace(/\p{Surrogate}/gu, '_')).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${extended}`;
}
