import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type Json = Record<string, unknown>;

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  schema: Json;
}

/** An operation of the OpenAPI document, with its direct references resolved. */
export interface Operation {
  /** `POST /v1/keys` */
  id: string;
  method: string;
  template: string;
  needsKey: boolean;
  parameters: Parameter[];
  /** The schema of the JSON body; null if it takes none. */
  body: Json | null;
  /** Whether it takes a file, as multipart/form-data. */
  upload: boolean;
  /** The documented statuses. */
  statuses: ReadonlySet<number>;
  /** Names of the documented headers of a status. */
  getHeaders(status: number): string[];
  /** Schema violations of a response body; null if this response is not documented. */
  checkBody(status: number, mediaType: string, body: unknown): string[] | null;
}

interface Response {
  headers?: Json;
  content?: Record<string, { schema?: Json }>;
}

const countParts = (path: string) => path.split('/').length;

/**
 * The OpenAPI document as the gateway serves it, for generating requests and checking responses.
 */
export class ServedDocument {
  readonly operations: readonly Operation[];
  readonly #root: Json;
  readonly #ajv: Ajv2020;
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(root: Json) {
    this.#root = root;
    // Not strict, to allow OpenAPI's own keywords; all validation keywords still apply.
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ ...root, $id: 'document' });
    const paths = root.paths as Record<string, Record<string, Json>>;
    this.operations = Object.entries(paths).flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, operation]) => this.#read(template, method, operation)),
    );
  }

  /**
   * Returns the operation that a request reaches: another method may be another operation of the
   * path, and GET ignores a trailing slash, which may lead to another path.
   */
  findAddressed(operation: Operation, { method, target }: { method: string; target: string }): Operation {
    const path = target.split('?')[0] as string;
    const isLastEmpty = path.endsWith('/') && countParts(path) === countParts(operation.template);
    const template =
      method === 'GET' && isLastEmpty ? operation.template.replace(/\/[^/]*$/, '') : operation.template;
    return this.operations.find((each) => each.id === `${method} ${template}`) ?? operation;
  }

  /** Follows `$ref`. */
  resolve(schema: Json): Json {
    let at = schema;
    while (typeof at.$ref === 'string') at = this.#at(at.$ref.slice(2).split('/'));
    return at;
  }

  #at(path: readonly string[]): Json {
    return path.reduce((at, part) => at[part] as Json, this.#root);
  }

  #read(template: string, method: string, operation: Json): Operation {
    const responses = operation.responses as Record<string, Response>;
    const body = (operation.requestBody as { content?: Record<string, { schema: Json }> })?.content;
    return {
      id: `${method.toUpperCase()} ${template}`,
      method: method.toUpperCase(),
      template,
      needsKey: ((operation.security ?? []) as unknown[]).length > 0,
      parameters: ((operation.parameters ?? []) as Json[]).map(
        (parameter) => this.resolve(parameter) as unknown as Parameter,
      ),
      body: body?.['application/json']?.schema ?? null,
      upload: body?.['multipart/form-data'] !== undefined,
      statuses: new Set(Object.keys(responses).map(Number)),
      getHeaders: (status) => Object.keys(responses[status]?.headers ?? {}),
      checkBody: (status, mediaType, answered) => {
        if (!responses[status]?.content?.[mediaType]?.schema) return null;
        const place = [
          'paths',
          template,
          method,
          'responses',
          String(status),
          'content',
          mediaType,
          'schema',
        ];
        return this.#judge(place, answered);
      },
    };
  }

  /** Schema violations of a value against a named component. */
  checkAgainstSchema(name: string, value: unknown): string[] {
    return this.#judge(['components', 'schemas', name], value);
  }

  #judge(place: readonly string[], value: unknown): string[] {
    const pointer = place.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    const ref = `document#/${pointer.join('/')}`;
    let validate = this.#validators.get(ref);
    if (!validate) {
      validate = this.#ajv.compile({ $ref: ref });
      this.#validators.set(ref, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }
}
