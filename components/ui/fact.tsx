import type { ReactNode } from 'react';

interface FactProps {
  name: string;
  children: ReactNode;
}

/** A name and its value. Put several in a `<dl>`. */
export function Fact({ name, children }: FactProps) {
  return (
    <div className="min-w-0">
      <dt className="mb-1 text-muted">{name}</dt>
      <dd className="min-w-0 break-words [&>div]:items-start">{children}</dd>
    </div>
  );
}
