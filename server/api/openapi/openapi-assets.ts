import { headerRefs, RATE_LIMIT_HEADERS } from './openapi-headers';

type Json = Record<string, unknown>;
interface Operation extends Json {
  responses: Record<string, Json>;
  parameters?: Json[];
  requestBody?: { required?: boolean; content: Record<string, Json> };
}

/** Adds the multipart body, which the generator cannot describe. */
export function describeUpload(operation: Operation): void {
  operation.requestBody = {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['file'],
          additionalProperties: false,
          properties: {
            file: {
              type: 'string',
              contentMediaType: 'application/octet-stream',
              description: 'The file, sent as one file part.',
            },
            filename: { type: 'string', description: 'The filename; defaults to that of the part.' },
            content_type: {
              type: 'string',
              description: 'The media type, if the bytes do not reveal it; defaults to that of the part.',
            },
          },
        },
        examples: { text: { summary: 'A text', value: { file: 'hello', filename: 'hello.txt' } } },
      },
    },
  };
}

const BYTES: Json = {
  'application/octet-stream': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } },
};
const HEADERS = [
  'X-Request-Id',
  'ETag',
  'Accept-Ranges',
  'Content-Disposition',
  ...RATE_LIMIT_HEADERS,
] as const;

/** Adds the responses 200, 206 and 304, and their request headers. */
export function describeDownload(operation: Operation): void {
  operation.responses['200'] = {
    description: 'The whole file.',
    headers: headerRefs(...HEADERS),
    content: BYTES,
  };
  operation.responses['206'] = {
    description: 'The requested range. A request for several ranges returns the whole file.',
    headers: headerRefs(...HEADERS, 'Content-Range'),
    content: BYTES,
  };
  operation.responses['304'] = {
    description: 'Not changed since the ETag in If-None-Match.',
    headers: headerRefs('X-Request-Id', 'ETag'),
  };
  operation.parameters = [
    ...(operation.parameters ?? []),
    header('Range', 'One range of bytes (RFC 9110).', 'bytes=0-1023'),
    header(
      'If-Range',
      'The ETag that the range belongs to; if the current one differs, the whole file is returned.',
      '"sha256-9f86…"',
    ),
    header('If-None-Match', 'The ETag of your copy.', '"sha256-9f86…"'),
  ];
}

function header(name: string, description: string, example: string): Json {
  return { in: 'header', name, required: false, description, schema: { type: 'string' }, example };
}
