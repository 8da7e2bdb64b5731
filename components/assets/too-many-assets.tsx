/**
 * Shown in place of a file when the client's IP address is over its rate limit. It does not reveal
 * whether the file exists.
 */
export function TooManyAssets() {
  return (
    <div className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-start justify-center gap-4 px-6 py-16">
      <h1 className="font-semibold text-2xl">Too many requests</h1>
      <p className="text-muted">
        Too many files were requested from your IP address. Wait a minute, then reload this page.
      </p>
    </div>
  );
}
