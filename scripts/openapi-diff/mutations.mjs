// Sample changes of a document and their effect on its clients, to test the comparison.

/** @typedef {import('./compare-schemas.mjs').Json} Json */

const EVALUATE = '/v1/things/{id}';
const object = (/** @type {Json} */ properties, /** @type {string[]} */ required = []) => ({
  type: 'object',
  properties,
  required,
});

const NOT_FOUND = {
  description: 'no',
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: { NOT_FOUND: { value: {} }, GONE: { value: {} } },
    },
  },
};

const GET_THING = {
  operationId: 'getThing',
  security: [],
  parameters: [
    { in: 'path', name: 'id', required: true, schema: { type: 'string' } },
    {
      in: 'query',
      name: 'limit',
      schema: { type: 'integer', minimum: 1, maximum: 500, default: 100 },
    },
    { in: 'query', name: 'order', schema: { type: 'string', enum: ['up', 'down'] } },
  ],
  responses: {
    200: {
      description: 'yes',
      headers: { ETag: { schema: { type: 'string' } } },
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Thing' } },
        'text/csv': { schema: { type: 'string' } },
      },
    },
    404: NOT_FOUND,
  },
};

const SET_THING = {
  operationId: 'setThing',
  security: [{ apiKey: [] }, { payment: [] }],
  parameters: [
    { in: 'path', name: 'id', required: true, schema: { type: 'string' } },
    { in: 'header', name: 'Idempotency-Key', schema: { type: 'string' } },
  ],
  requestBody: {
    required: false,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/SetThing' } } },
  },
  responses: {
    200: {
      description: 'yes',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
    },
    404: NOT_FOUND,
  },
};

const SCHEMAS = {
  Thing: object(
    {
      id: { type: 'string' },
      at: { type: 'string', format: 'date-time' },
      size: { type: 'integer' },
      limit: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      status: { type: 'string', enum: ['on', 'off'] },
      note: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
    },
    ['id', 'at', 'status'],
  ),
  SetThing: object(
    {
      name: { type: 'string', minLength: 1, maxLength: 64 },
      mode: { type: 'string', enum: ['fast', 'slow'] },
      size: { type: 'number' },
      limit: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      note: { type: 'string' },
    },
    ['name'],
  ),
  Error: object({ code: { type: 'string', enum: ['NOT_FOUND', 'GONE'] } }, ['code']),
};

const SAMPLE = {
  openapi: '3.1.0',
  info: { title: 'Sample', version: '1.0.0' },
  paths: {
    [EVALUATE]: { get: GET_THING, put: SET_THING },
    '/v1/things': {
      get: { operationId: 'listThings', security: [], responses: { 200: { description: 'yes' } } },
    },
  },
  components: {
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'a key' },
      payment: { type: 'http', scheme: 'payment' },
    },
    schemas: SCHEMAS,
  },
};

/** @returns {Json} a small document with one of everything */
export function sample() {
  return structuredClone(SAMPLE);
}

/** @typedef {{ thing: Json, set: Json, get: Json, put: Json, document: Json }} Parts */

/** @param {Json} document @returns {Parts} */
function getParts(document) {
  const { get, put } = document.paths[EVALUATE];
  const { Thing: thing, SetThing: set } = document.components.schemas;
  return { thing, set, get, put, document };
}

/** @param {Json} list @param {string} item */
const without = (list, item) => list.splice(list.indexOf(item), 1);

/** @type {[string, (parts: Parts) => void][]} */
const BREAKING = [
  ['a path is gone', ({ document }) => delete document.paths['/v1/things']],
  ['a method is gone', ({ document }) => delete document.paths[EVALUATE].put],
  ['an operationId is another', ({ get }) => (get.operationId = 'readThing')],
  [
    'a request field is new and required',
    ({ set }) => {
      set.properties.colour = { type: 'string' };
      set.required.push('colour');
    },
  ],
  ['a request field becomes required', ({ set }) => set.required.push('note')],
  ['a request field is gone', ({ set }) => delete set.properties.note],
  ['a request enum is narrowed', ({ set }) => without(set.properties.mode.enum, 'slow')],
  ['a request enum is added', ({ set }) => (set.properties.note.enum = ['a'])],
  ['a request type is narrowed', ({ set }) => (set.properties.size.type = 'integer')],
  ['a request type is another', ({ set }) => (set.properties.note.type = 'number')],
  [
    'null is no longer taken',
    ({ set }) => without(set.properties.limit.anyOf, set.properties.limit.anyOf[1]),
  ],
  ['a shorter text is the longest', ({ set }) => (set.properties.name.maxLength = 32)],
  ['a least length is added', ({ set }) => (set.properties.note.minLength = 1)],
  ['a pattern is added', ({ set }) => (set.properties.note.pattern = '^a')],
  ['unknown fields are refused', ({ set }) => (set.additionalProperties = false)],
  ['a body becomes required', ({ put }) => (put.requestBody.required = true)],
  [
    'a media type is no longer taken',
    ({ put }) => (put.requestBody.content = { 'text/plain': { schema: {} } }),
  ],
  [
    'a parameter is new and required',
    ({ get }) => get.parameters.push({ in: 'query', name: 'q', required: true, schema: {} }),
  ],
  ['a parameter is gone', ({ get }) => get.parameters.pop()],
  ['a parameter becomes required', ({ get }) => (get.parameters[1].required = true)],
  ['a header becomes required', ({ put }) => (put.parameters[1].required = true)],
  ['a parameter moves', ({ get }) => (get.parameters[1].in = 'header')],
  ['a parameter takes less', ({ get }) => (get.parameters[1].schema.maximum = 100)],
  ['a default is another', ({ get }) => (get.parameters[1].schema.default = 10)],
  ['a response field is gone', ({ thing }) => delete thing.properties.note],
  ['a response field becomes optional', ({ thing }) => without(thing.required, 'at')],
  ['a response enum is widened', ({ thing }) => thing.properties.status.enum.push('broken')],
  ['a response enum is gone', ({ thing }) => delete thing.properties.status.enum],
  ['a response type is widened', ({ thing }) => (thing.properties.size.type = 'number')],
  ['a response type is another', ({ thing }) => (thing.properties.note.type = 'object')],
  [
    'a response may be null',
    ({ thing }) => (thing.properties.note = { anyOf: [{ type: 'string' }, { type: 'null' }] }),
  ],
  [
    'a response may be null, as types are listed',
    ({ thing }) => (thing.properties.note.type = ['string', 'null']),
  ],
  ['a format is another', ({ thing }) => (thing.properties.at.format = 'date')],
  ['items are of another type', ({ thing }) => (thing.properties.tags.items.type = 'integer')],
  ['a success status is gone', ({ get }) => delete get.responses[200]],
  ['a success status is new', ({ put }) => (put.responses[202] = { description: 'later' })],
  ['an error status is gone', ({ get }) => delete get.responses[404]],
  [
    'an error code is gone',
    ({ document }) =>
      delete document.paths[EVALUATE].get.responses[404].content['application/json'].examples.GONE,
  ],
  ['a media type is no longer given', ({ get }) => delete get.responses[200].content['text/csv']],
  ['a response header is gone', ({ get }) => delete get.responses[200].headers.ETag],
  ['a key is needed', ({ get }) => (get.security = [{ apiKey: [] }])],
  ['one of two keys is no longer enough', ({ put }) => (put.security = [{ apiKey: [] }])],
  ['both keys are needed', ({ put }) => (put.security = [{ apiKey: [], payment: [] }])],
  [
    'the scheme of a key is another',
    ({ document }) => (document.components.securitySchemes.apiKey.scheme = 'basic'),
  ],
  ['a keyword that cannot be judged', ({ set }) => (set.not = { required: ['note'] })],
];

/** @type {[string, (parts: Parts) => void][]} */
const COMPATIBLE = [
  [
    'a path is new',
    ({ document }) => (document.paths['/v1/new'] = { get: { operationId: 'n', responses: {} } }),
  ],
  [
    'a method is new',
    ({ document }) => (document.paths['/v1/things'].post = { operationId: 'n', responses: {} }),
  ],
  ['a request field is new', ({ set }) => (set.properties.colour = { type: 'string' })],
  ['a request field becomes optional', ({ set }) => without(set.required, 'name')],
  ['a request enum is widened', ({ set }) => set.properties.mode.enum.push('medium')],
  ['a request enum is gone', ({ set }) => delete set.properties.mode.enum],
  [
    'null is taken too',
    ({ set }) => (set.properties.note = { anyOf: [{ type: 'string' }, { type: 'null' }] }),
  ],
  ['a longer text is taken', ({ set }) => (set.properties.name.maxLength = 128)],
  [
    'a parameter is new',
    ({ get }) => get.parameters.push({ in: 'query', name: 'q', schema: { type: 'string' } }),
  ],
  ['a parameter takes more', ({ get }) => (get.parameters[1].schema.maximum = 1000)],
  ['a response field is new', ({ thing }) => (thing.properties.colour = { type: 'string' })],
  ['a response field is always there', ({ thing }) => thing.required.push('note')],
  ['a response enum is narrowed', ({ thing }) => without(thing.properties.status.enum, 'off')],
  ['a response is never null', ({ thing }) => (thing.properties.limit = { type: 'number' })],
  ['an error status is new', ({ get }) => (get.responses[429] = { description: 'slow' })],
  [
    'an error code is new',
    ({ document }) =>
      (document.paths[EVALUATE].get.responses[404].content['application/json'].examples.NEW = {}),
  ],
  [
    'an error code is new in the schema of failures',
    ({ document }) => document.components.schemas.Error.properties.code.enum.push('NEW'),
  ],
  ['a media type is given too', ({ put }) => (put.responses[200].content['text/csv'] = { schema: {} })],
  [
    'a response header is new',
    ({ put }) => (put.responses[200].headers = { ETag: { schema: { type: 'string' } } }),
  ],
  ['a key is no longer needed', ({ put }) => (put.security = [])],
  ['a route is deprecated', ({ get }) => (get.deprecated = true)],
];

/** @type {[string, (parts: Parts) => void][]} */
const NOTHING = [
  ['nothing', () => undefined],
  [
    'words',
    ({ get, thing, document }) => {
      get.summary = 'Other words';
      thing.properties.id.description = 'Other words';
      document.info.description = 'Other words';
      document.components.securitySchemes.apiKey.description = 'Other words';
    },
  ],
  [
    'the order of properties and enums',
    ({ thing }) => {
      thing.properties = Object.fromEntries(Object.entries(thing.properties).reverse());
      thing.properties.status.enum.reverse();
      thing.required.reverse();
    },
  ],
  [
    'a schema is written where it is used',
    ({ put, set }) => (put.requestBody.content['application/json'].schema = structuredClone(set)),
  ],
  ['one type as a list', ({ thing }) => (thing.properties.note.type = ['string'])],
];

/** @type {{ name: string, means: 'breaking' | 'compatible' | 'nothing', after: Json }[]} */
export const mutations = [
  ...BREAKING.map((each) => toMutation(each, 'breaking')),
  ...COMPATIBLE.map((each) => toMutation(each, 'compatible')),
  ...NOTHING.map((each) => toMutation(each, 'nothing')),
];

/**
 * @template {string} Means
 * @param {[string, (parts: Parts) => void]} mutation
 * @param {Means} means
 */
function toMutation([name, mutate], means) {
  const after = sample();
  mutate(getParts(after));
  return { name, means, after };
}
