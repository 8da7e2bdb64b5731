'use client';

import type { ReactNode } from 'react';
import type { Session, Viewer } from '@/server/identity/accounts/schema';
import type { FactorState } from '@/server/identity/factor/schema';
import { SingleKeysSwitch } from '../shared/single-keys-switch';
import { Card, CardBody, CardHeader } from '../ui/card';
import { PageHeader } from '../ui/page-header';
import { ThemeToggle } from '../ui/theme-toggle';
import { DeleteAccount } from './delete-account';
import { ExportData } from './export-data';
import { ProfileForm } from './profile-form';
import { SecondFactor } from './second-factor';
import { Sessions } from './sessions';
import { useFactor } from './use-factor';

interface SettingsProps {
  viewer: Viewer;
  sessions: Session[];
  factor: FactorState;
  /** Stored contents of calls, and the list of connected applications. */
  connections: ReactNode;
}

export function Settings({ viewer, sessions, factor, connections }: SettingsProps) {
  const { data } = useFactor(factor);
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <PageHeader title="Settings" />
      <Card>
        <CardHeader title="Profile" description="How you appear in this dashboard." />
        <CardBody>
          <ProfileForm viewer={viewer} factor={data.enabled} />
        </CardBody>
      </Card>
      <Card>
        <CardHeader title="This browser" description="Saved only in this browser." />
        <CardBody className="flex flex-col gap-5">
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-sm">
            <div>
              <p className="font-medium">Theme</p>
              <p className="text-muted">System follows your device’s setting.</p>
            </div>
            <ThemeToggle labels />
          </div>
          <div className="border-t pt-5">
            <SingleKeysSwitch />
          </div>
        </CardBody>
      </Card>
      {connections}
      <SecondFactor state={data} />
      <Sessions initial={sessions} />
      <ExportData factor={data.enabled} />
      <DeleteAccount email={viewer.email} factor={data.enabled} />
    </div>
  );
}
