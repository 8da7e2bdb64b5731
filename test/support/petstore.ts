import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FakeSite, startFakeSite } from './fake-site';

/** A fake API with its OpenAPI document at `/openapi.json` and a key in `X-Api-Key`. */
export interface Petstore extends FakeSite {
  /** The document; tests may change it. */
  document: Record<string, unknown>;
  /** The parsed bodies of the requests. */
  bodies: unknown[];
}

const PET = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    tag: { type: 'string', nullable: true },
    parent: { $ref: '#/components/schemas/Pet' },
  },
};
const ok = (schema: object, status = '200') => ({
  [status]: { description: 'ok', content: { 'application/json': { schema } } },
});
const pet = { $ref: '#/components/schemas/Pet' };

const PATHS = {
  '/pets/{id}': {
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        schema: { type: 'integer', minimum: 0, exclusiveMinimum: true },
      },
    ],
    get: {
      operationId: 'getPet',
      summary: 'One pet',
      parameters: [
        { name: 'fields', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
        { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
      ],
      responses: ok(pet),
    },
  },
  '/pets': {
    get: { operationId: 'listPets', security: [], responses: ok({ type: 'array', items: pet }) },
    post: {
      operationId: 'addPet',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['name'],
              properties: { name: { type: 'string' }, tag: { type: 'string' } },
            },
          },
        },
      },
      responses: ok(pet, '201'),
    },
  },
  '/photos/{file}': {
    get: {
      operationId: 'photo',
      security: [],
      parameters: [{ name: 'file', in: 'path', required: true, schema: { type: 'string' } }],
      responses: { 200: { description: 'A picture.' } },
    },
  },
  '/portrait': { get: { operationId: 'portrait', responses: { 200: { description: 'A picture.' } } } },
  '/fixed?page={page}': { get: { operationId: 'fixed', security: [], responses: {} } },
  '/secret': { get: { operationId: 'byQuery', security: [{ inQuery: [] }], responses: {} } },
  '/upload': {
    post: {
      operationId: 'upload',
      security: [],
      requestBody: { required: true, content: { 'multipart/form-data': { schema: { type: 'object' } } } },
      responses: {},
    },
  },
  '/far': {
    get: {
      operationId: 'far',
      security: [],
      parameters: [
        { name: 'q', in: 'query', required: true, schema: { $ref: 'http://evil.test/schema.json' } },
      ],
      responses: {},
    },
  },
};

/** Starts it. Pet 404 does not exist; the response of pet 500 violates the document. */
export async function startPetstore(): Promise<Petstore> {
  const bodies: unknown[] = [];
  const document: Record<string, unknown> = {
    openapi: '3.0.3',
    info: { title: 'Pets', version: '1.2.3', description: 'All about pets.' },
    servers: [{ url: '/api/v1' }],
    security: [{ key: [] }],
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        inQuery: { type: 'apiKey', in: 'query', name: 'k' },
      },
      schemas: { Pet: PET },
    },
    paths: PATHS,
  };
  const twin = await startFakeSite((request, response) => void answer(document, bodies, request, response));
  return Object.assign(twin, { document, bodies });
}

async function answer(
  document: object,
  bodies: unknown[],
  request: IncomingMessage,
  response: ServerResponse,
) {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (body) bodies.push(JSON.parse(body));
  const json = (status: number, value: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const { pathname } = new URL(request.url ?? '/', 'http://pets.test');
  if (pathname === '/openapi.json') return json(200, document);
  if (pathname.startsWith('/api/v1/photos/'))
    return response
      .writeHead(200, { 'content-type': 'image/png' })
      .end(Buffer.from('89504e470d0a1a0a00', 'hex'));
  if (pathname === '/api/v1/pets' && request.method === 'GET')
    return json(200, [{ id: 1, name: 'Rex', tag: null }]);
  if (request.headers['x-api-key'] === undefined) return json(401, { message: 'No key' });
  // Some APIs put request values in a file name.
  if (pathname === '/api/v1/portrait')
    return response
      .writeHead(200, {
        'content-type': 'image/png',
        'content-disposition': `attachment; filename="${request.headers['x-api-key']}.png"`,
      })
      .end(Buffer.from('89504e470d0a1a0a00', 'hex'));
  if (request.method === 'POST') return json(201, { id: 2, ...(JSON.parse(body) as object) });
  const id = Number(pathname.split('/').pop());
  if (id === 404) return json(404, { message: 'No such <b>pet</b>' });
  if (id === 500) return json(200, { id: 'not a number' });
  // Some APIs repeat request values.
  return json(200, { id, name: `Rex of ${String(request.headers['x-api-key'])}` });
}
