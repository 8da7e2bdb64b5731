'use client';

import { useState } from 'react';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { ChevronsUpDown } from '../ui/icons';
import { lazyOverlay } from '../ui/lazy-overlay';

const SkillList = lazyOverlay(
  () => import('./skill-list').then((loaded) => loaded.SkillList),
  () => <div className="h-80" />,
);

interface SkillPickerProps {
  /** The chosen skill; null for none. */
  chosen: { tool: string; skill: string } | null;
  onChoose: (tool: string, skill: string) => void;
}

/** The button for choosing a skill, which opens the searchable list. */
export function SkillPicker({ chosen, onChoose }: SkillPickerProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Choose a skill"
      className="sm:max-w-xl"
      trigger={
        <Button
          aria-label={chosen ? `Skill: ${chosen.tool}.${chosen.skill}. Choose another` : undefined}
          className="min-w-0 max-w-full justify-between gap-3"
        >
          <span className={chosen ? 'truncate font-mono text-xs' : undefined}>
            {chosen ? `${chosen.tool}.${chosen.skill}` : 'Choose a skill'}
          </span>
          <ChevronsUpDown aria-hidden className="text-muted" />
        </Button>
      }
    >
      <SkillList
        chosen={chosen}
        onChoose={(tool, skill) => {
          setOpen(false);
          onChoose(tool, skill);
        }}
      />
    </Dialog>
  );
}
