import Link from 'next/link';
import type { AccountRequirement } from '@/server/catalog/credentials/schema';
import type { Skill } from '@/server/catalog/tools/schema';
import { Badge } from '../ui/badge';
import { Notice } from '../ui/notice';
import { availabilityLabel } from './availability-label';

/** A tool or skill. */
type Callable = Pick<Skill, 'availability' | 'provider_keys'> & {
  unavailable_reason?: string | null | undefined;
};

/** A badge for what is not ready; its title says why. */
export function AvailabilityBadge({ of }: { of: Callable }) {
  const label = availabilityLabel(of);
  if (label === null) return null;
  const tone = of.availability === 'unavailable' ? 'warning' : 'accent';
  return (
    <Badge tone={tone} title={of.unavailable_reason ?? undefined}>
      {label}
    </Badge>
  );
}

/** Whether the viewer has saved a provider key that makes it ready for them. */
function hasKeyFor({ provider_keys = [] }: Callable, ownKeys: readonly AccountRequirement[]): boolean {
  return ownKeys.some((own) => own.configured && provider_keys.some(({ name }) => name === own.name));
}

interface AvailabilityNoticeProps {
  /** The start of the title: "This tool". */
  what: string;
  of: Callable;
  /** The provider keys that the viewer has saved. */
  ownKeys: readonly AccountRequirement[];
}

/** States why something is not ready for the viewer, and what they can do; nothing if it is. */
export function AvailabilityNotice({ what, of, ownKeys }: AvailabilityNoticeProps) {
  if (of.availability === 'ready' || hasKeyFor(of, ownKeys)) return null;
  if (of.availability === 'unavailable')
    return (
      <Notice tone="warning" title={`${what} is unavailable`}>
        {of.unavailable_reason}
      </Notice>
    );
  return (
    <Notice title={`${what} needs your own provider key`}>
      {of.unavailable_reason}{' '}
      <Link href="/dashboard/provider-keys" prefetch={false} className="link">
        Add a provider key
      </Link>
    </Notice>
  );
}
