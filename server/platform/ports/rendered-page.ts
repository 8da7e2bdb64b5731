/** A page to be drawn by the browser; `url` or `html`. */
export interface RenderRequest {
  readonly url?: string;
  readonly html?: string;
  /** Of the window, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels for each CSS pixel. */
  readonly scale: number;
  readonly dark: boolean;
  /** A CSS selector of what must be there first. */
  readonly waitFor?: string;
  readonly delayMs: number;
  /** Where the file is written: of `files.scratch`. */
  readonly path: string;
  readonly output:
    | { kind: 'picture'; type: 'png' | 'jpeg' | 'webp'; fullPage: boolean; quality: number }
    | { kind: 'pdf'; format: string; landscape: boolean; background: boolean; margin: string };
}

export interface RenderedPage {
  readonly url: string;
  readonly title: string;
  readonly status: number | null;
  /** Of a picture, in pixels. */
  readonly width: number | null;
  readonly height: number | null;
  /** Whether the page is longer than a picture may be. */
  readonly truncated: boolean;
  readonly sizeBytes: number;
  /** Requests that led where tools may not go. */
  readonly blockedRequests: number;
}
