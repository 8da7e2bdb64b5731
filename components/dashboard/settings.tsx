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
        <CardHeader title="Profile" description="Your name is shown to you here and on nothing else yet." />
        <CardBody>
          <ProfileForm viewer={viewer} />
        </CardBody>
      </Card>
      <Card>
        <CardHeader title="Theme" description="Kept in this browser." actions={<ThemeToggle labels />} />
      </Card>
      <Sessions initial={sessions} />
      <DeleteAccount email={viewer.email} />
    </div>
  );
}
