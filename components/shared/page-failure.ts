interface PageFailure {
  text: string;
  /** Identifies an error of the server in the operator's log. */
  digest: string | undefined;
  retry: () => void;
}

/**
 * What to say about a page that could not be rendered, and how to try again. After an upgrade of
 * the gateway, an open page asks for scripts that are gone: only a reload helps.
 */
export function describePageFailure(
  error: unknown,
  retry: () => void,
  reload: () => void = () => window.location.reload(),
): PageFailure {
  if (hasText(error, 'name') && error.name === 'ChunkLoadError')
    return {
      text: 'The gateway was updated, or the connection was interrupted. Try again to reload the page.',
      digest: undefined,
      retry: reload,
    };
  return {
    text: 'Something went wrong on our side. Try again. If it persists, send the reference to the operator.',
    digest: hasText(error, 'digest') ? error.digest : undefined,
    retry,
  };
}

function hasText<K extends string>(error: unknown, field: K): error is Record<K, string> {
  return (
    typeof error === 'object' &&
    error !== null &&
    field in error &&
    typeof (error as Record<K, unknown>)[field] === 'string'
  );
}
