/** A run of text in a guide. Links are as a page follows them: `/docs/keys#claim`, or whole addresses. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'em'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] }
  | { kind: 'break' };

/** One fenced block; `label` is what its tab says: "curl", "TypeScript", "Python", "Answer". */
export interface GuideSample {
  language: string;
  label: string;
  code: string;
}

export type Block =
  | { kind: 'heading'; level: number; id: string; text: string; children: Inline[] }
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Block[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'code'; samples: GuideSample[] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'rule' };

/** A guide as lists show it. */
export interface GuideLink {
  name: string;
  title: string;
  /** One sentence: what one learns from it. */
  summary: string;
  group: string;
  href: string;
}

/** A guide as its page shows it. */
export interface Guide extends GuideLink {
  /** Without the title. */
  blocks: Block[];
  /** Of the second and third level, in order. */
  headings: { id: string; text: string; level: number }[];
  previous: GuideLink | null;
  next: GuideLink | null;
}

/** A place in the documentation that a search has found. */
export interface GuideHit {
  href: string;
  /** The guide, or "API reference". */
  page: string;
  /** The heading it is under; the same as `page` at the top. */
  title: string;
  excerpt: string;
}

/** A parameter of a route, in words. */
export interface ApiParameter {
  name: string;
  place: 'path' | 'query' | 'header';
  required: boolean;
  type: string;
  description: string;
}

export interface ApiResponse {
  status: string;
  description: string;
  /** Codes of errors with this status; none for a success. */
  codes: string[];
  /** Name of the schema of its body. */
  schema: string | null;
  /** Other media types that it may come in. */
  types: string[];
}

/** A route of the API as the reference shows it. */
export interface ApiOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  needsKey: boolean;
  idempotent: boolean;
  parameters: ApiParameter[];
  /** The JSON body it takes: its schema and its name. */
  body: { name: string; schema: unknown; required: boolean } | null;
  responses: ApiResponse[];
  samples: GuideSample[];
  /** A successful answer, as JSON. */
  example: string | null;
}

export interface ApiGroup {
  name: string;
  description: string;
  operations: ApiOperation[];
}

export interface ApiSchema {
  name: string;
  description: string;
  /** Other schemas stand in it by their names. */
  schema: unknown;
  uses: string[];
}

/** The OpenAPI document as one reads it. */
export interface ApiReference {
  title: string;
  version: string;
  groups: ApiGroup[];
  schemas: ApiSchema[];
}
