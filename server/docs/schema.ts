/** Inline content of a guide. Links are ready for pages: `/docs/keys#claim`, or absolute URLs. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'em'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] }
  | { kind: 'break' };

/** A fenced block; `label` is its tab: "curl", "TypeScript", "Python", "Response". */
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

/** A guide in a list. */
export interface GuideLink {
  name: string;
  title: string;
  /** One sentence on its content. */
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

/** A product that this gateway is compared with. */
export interface ComparisonLink {
  name: string;
  slug: string;
  href: string;
  /** How many features are compared. */
  features: number;
  /** How many of them the product documents in full. */
  documented: number;
}

/** A cell of the comparison: its verdict, and the words and sources after it. */
export interface ComparisonVerdict {
  verdict: 'yes' | 'partly' | 'no';
  text: Inline[];
}

/** This gateway next to one product. */
export interface Comparison extends ComparisonLink {
  rows: { feature: Inline[]; ours: ComparisonVerdict; theirs: ComparisonVerdict }[];
  /** What the product does better. */
  ahead: Inline[][];
  /** `26 Nov 2026`: when the sources were read. */
  read_on: string;
  /** Which revisions of the product's sources were read. */
  sources: Inline[];
  others: ComparisonLink[];
}

/** A search hit. */
export interface GuideHit {
  href: string;
  /** The guide, or "API reference". */
  page: string;
  /** The heading of the hit; equals `page` at the top. */
  title: string;
  excerpt: string;
}

/** A parameter of a route. */
export interface ApiParameter {
  name: string;
  place: 'path' | 'query' | 'header';
  required: boolean;
  type: string;
  description: string;
}

/** The error codes of a status. */
export interface ApiErrors {
  status: string;
  codes: string[];
}

/** A response that is not an error. */
export interface ApiResponse {
  status: string;
  description: string;
  /** Schema name of the body. */
  schema: string | null;
  /** Media types besides JSON. */
  types: string[];
}

/** A route of the API as the reference shows it. */
export interface ApiOperation {
  id: string;
  /** The page of its group, with the operation's anchor: `/docs/api/calls#callTool`. */
  href: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  needsKey: boolean;
  idempotent: boolean;
  parameters: ApiParameter[];
  /** The JSON request body. */
  body: { name: string; schema: unknown; required: boolean } | null;
  responses: ApiResponse[];
  /** Those that not every operation of its group has. */
  errors: ApiErrors[];
  samples: GuideSample[];
  /** A successful response, as JSON. */
  example: string | null;
}

export interface ApiGroup {
  name: string;
  /** The last part of its path: `calls`. */
  slug: string;
  href: string;
  description: string;
  operations: ApiOperation[];
  /** The errors that every operation has. */
  errors: ApiErrors[];
}

export interface ApiLink {
  title: string;
  href: string;
}

export interface ApiSchema {
  name: string;
  href: string;
  description: string;
  /** Other schemas are replaced by their names. */
  schema: unknown;
  /** The schemas of its fields. */
  uses: ApiLink[];
  /** The operations and schemas that contain it. */
  usedBy: ApiLink[];
}

/** The OpenAPI document for the reference pages. */
export interface ApiReference {
  title: string;
  version: string;
  groups: ApiGroup[];
  schemas: ApiSchema[];
}
