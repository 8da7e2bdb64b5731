'use client';

import type { Viewer } from '@/server/accounts/schema';
import { Card, CardBody, CardHeader } from '../ui/card';
import { PageHeader } from '../ui/page-header';
import { ThemeToggle } from '../ui/theme-toggle';
import { DeleteAccount } from './delete-account';
import { ProfileForm } from './profile-form';
import { type Session, Sessions } from './sessions';

export function Settings({ viewer, sessions }: { viewer: Viewer; sessions: Session[] }) {
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <PageHeader title="Settings" />
      <Card>
        <CardHeader title="Profile" description="How you appear in this dashboard." />
        <CardBody>
          <ProfileForm viewer={viewer} />
        </CardBody>
      </Card>
      <Card>
        <CardHeader title="Theme" description="Kept in this browser." />
        <CardBody>
          <ThemeToggle labels />
        </CardBody>
      </Card>
      <Sessions initial={sessions} />
      <DeleteAccount email={viewer.email} />
    </div>
  );
}
