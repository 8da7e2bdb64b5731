import Link from 'next/link';
import type { AccountRequirement } from '@/server/catalog/credentials/schema';
import type { Tool } from '@/server/catalog/tools/schema';
import { Notice } from '../ui/notice';

interface ByokNoteProps {
  tool: Tool;
  /** The viewer's saved provider keys; empty when signed out. */
  slots: readonly AccountRequirement[];
}

/** Notes that the tool uses a provider key that the viewer has saved. */
export function ByokNote({ tool, slots }: ByokNoteProps) {
  const names = slots
    .filter((slot) => slot.configured && tool.skills.some((skill) => skill.requirements.includes(slot.name)))
    .map((slot) => slot.displayName);
  if (names.length === 0) return null;
  const rate = tool.skills[0]?.pricing.byok_rate ?? 0;
  return (
    <Notice
      tone="success"
      title={`Your ${names.join(' and ')} ${names.length === 1 ? 'key is' : 'keys are'} used`}
    >
      Your calls that use {names.length === 1 ? 'it' : 'them'} cost {Number((rate * 100).toFixed(2))}% of
      their price, and the provider bills you directly.{' '}
      <Link href="/dashboard/provider-keys?show=saved" prefetch={false} className="link">
        Your provider keys
      </Link>
    </Notice>
  );
}
