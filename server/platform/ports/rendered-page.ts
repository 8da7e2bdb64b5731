/** A page for the browser to draw; either `url` or `html`. */
export interface RenderRequest {
  readonly url?: string;
  readonly html?: string;
  /** Of the viewport, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly scale: number;
  readonly dark: boolean;
  /** A CSS selector of an element to wait for. */
  readonly waitFor?: string;
  readonly delayMs: number;
  /** Where the file is written, below `files.scratch`. */
  readonly path: string;
  readonly output:
    | { kind: 'picture'; type: 'png' | 'jpeg' | 'webp'; fullPage: boolean; quality: number }
    | { kind: 'pdf'; format: string; landscape: boolean; background: boolean; margin: string };
}

export interface RenderedPage {
  readonly url: string;
  readonly title: string;
  readonly status: number | null;
  /** Of a screenshot, in device pixels. */
  readonly width: number | null;
  readonly height: number | null;
  /** Whether the page is longer than the maximum height of a screenshot. */
  readonly truncated: boolean;
  readonly sizeBytes: number;
  /** The number of requests that the guard refused. */
  readonly blockedRequests: number;
}
