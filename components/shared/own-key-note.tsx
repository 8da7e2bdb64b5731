import Link from 'next/link';
import type { AccountRequirement } from '@/server/catalog/credentials/schema';
import type { Tool } from '@/server/catalog/tools/schema';
import { Notice } from '../ui/notice';

interface OwnKeyNoteProps {
  tool: Tool;
  /** What the viewer has saved; empty where nobody is signed in. */
  slots: readonly AccountRequirement[];
}

/** Tells the owner of a provider key that this tool uses it. */
export function OwnKeyNote({ tool, slots }: OwnKeyNoteProps) {
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
      Calls of yours that go through {names.length === 1 ? 'it' : 'them'} cost{' '}
      {Number((rate * 100).toFixed(2))} % of their price; the provider bills you for the rest.{' '}
      <Link href="/dashboard/provider-keys?show=saved" prefetch={false} className="link">
        Your provider keys
      </Link>
    </Notice>
  );
}
