/** In place of a file, for an address that has looked at too many: whether this one is there is not said. */
export function TooManyAssets() {
  return (
    <div className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-start justify-center gap-4 px-6 py-16">
      <h1 className="font-semibold text-2xl">Too many files at once</h1>
      <p className="text-muted">
        Many files were looked at from your address within a minute. Wait a minute, then load this page again.
      </p>
    </div>
  );
}
