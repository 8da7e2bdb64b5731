import { textRoute } from '@/server/api/http/text-route';
import { writeApiCatalog } from '@/server/docs/well-known';

export const dynamic = 'force-dynamic';

export const GET = textRoute(writeApiCatalog, {
  type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  // RFC 9727 section 2: the response to HEAD links to the catalogue.
  headers: ({ settings }) => ({ Link: `<${settings.baseUrl}/.well-known/api-catalog>; rel="api-catalog"` }),
});
