/** The HTTP method at a fixed width, so that the paths after it align. */
export function Method({ name }: { name: string }) {
  return (
    <span className="inline-block w-12 shrink-0 font-medium font-mono text-muted text-xs">
      {name === 'DELETE' ? 'DEL' : name}
    </span>
  );
}
