import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type Json = Record<string, unknown>;

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  schema: Json;
}

/** One operation of the document, with its references followed one step. */
export interface Operation {
  /** `POST /v1/keys` */
  id: string;
  method: string;
  template: string;
  needsKey: boolean;
  parameters: Parameter[];
  /** The schema of the JSON body; null where it takes none. */
  body: Json | null;
  /** Takes a file, as multipart/form-data. */
  upload: boolean;
  /** Statuses that the document names. */
  statuses: ReadonlySet<number>;
  /** Names of the headers that the document gives an answer of the status. */
  headersOf(status: number): string[];
  /** What is wrong with an answer's body by its schema; null where the document has none for it. */
  judge(status: number, mediaType: string, body: unknown): string[] | null;
}

interface Response {
  headers?: Json;
  content?: Record<string, { schema?: Json }>;
}

/**
 * The document as the running gateway serves it, ready to generate requests and to judge answers.
 */
export class ServedDocument {
  readonly operations: readonly Operation[];
  readonly #root: Json;
  readonly #ajv: Ajv2020;
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(root: Json) {
    this.#root = root;
    // Not strict about words that OpenAPI adds; required, enum, type, bounds and formats are all
    // held.
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ ...root, $id: 'document' });
    const paths = root.paths as Record<string, Record<string, Json>>;
    this.operations = Object.entries(paths).flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, operation]) => this.#read(template, method, operation)),
    );
  }

  /**
   * The operation that answers a target: GET passes over a slash at its end, and so may find
   * another path.
   */
  addressedBy(operation: Operation, target: string): Operation {
    const path = target.split('?')[0] as string;
    if (operation.method !== 'GET' || !path.endsWith('/')) return operation;
    const shorter = path.slice(0, -1);
    return this.operations.find((each) => each.id === `GET ${shorter}`) ?? operation;
  }

  /** What a `$ref` leads to. */
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
      headersOf: (status) => Object.keys(responses[status]?.headers ?? {}),
      judge: (status, mediaType, answered) => {
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

  /** Whether a value is what a schema of components says, by its name. */
  judgeAs(name: string, value: unknown): string[] {
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
