import type { ReactNode } from 'react';

interface PageHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  /** On the right; below the title on a phone. */
  actions?: ReactNode;
  /** Above the title: a link back. */
  back?: ReactNode;
}

/** The h1 of a page. */
export function PageHeader({ title, description, actions, back }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
      <div className="wrap-anywhere min-w-0 max-w-3xl">
        {back && <div className="mb-2 text-sm">{back}</div>}
        <h1 className="font-semibold text-2xl">{title}</h1>
        {description && <p className="mt-1 text-muted">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
