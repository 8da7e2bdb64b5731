import type { GuideLink } from '@/server/docs/schema';
import { HereLink } from './here-link';

const REFERENCE = [
  { href: '/docs/api', title: 'API reference', except: '/docs/api/schemas' },
  { href: '/docs/api/schemas', title: 'API schemas' },
  { href: '/docs/errors', title: 'Error codes' },
];

/** All pages of the documentation, grouped by topic. */
export function DocsNav({ guides, label }: { guides: readonly GuideLink[]; label: string }) {
  const groups = [...new Set(guides.map(({ group }) => group))];
  return (
    <nav aria-label={label} className="flex flex-col gap-6 text-sm">
      <HereLink href="/docs" except="/docs">
        Overview
      </HereLink>
      {groups.map((group) => (
        <NavGroup key={group} title={group} links={guides.filter((guide) => guide.group === group)} />
      ))}
      <NavGroup title="Reference" links={REFERENCE} />
    </nav>
  );
}

interface NavGroupProps {
  title: string;
  links: readonly { href: string; title: string; except?: string }[];
}

function NavGroup({ title, links }: NavGroupProps) {
  return (
    <div className="flex flex-col gap-1">
      <p className="font-medium text-muted text-xs">{title}</p>
      <ul className="flex flex-col">
        {links.map((link) => (
          <li key={link.href}>
            <HereLink href={link.href} except={link.except}>
              {link.title}
            </HereLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
