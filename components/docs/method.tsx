/** GET, POST: of one width, so that the paths beside them stand in a line. */
export function Method({ name }: { name: string }) {
  return (
    <span className="inline-block w-12 shrink-0 font-medium font-mono text-muted text-xs">
      {name === 'DELETE' ? 'DEL' : name}
    </span>
  );
}
