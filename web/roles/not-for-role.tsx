import { Button } from '@mantine/core';
import { Lock } from 'lucide-react';
import { Link } from 'react-router';
import type { MemberRole } from '#shared/contract/member-roles.ts';
import { roleTexts as texts } from '#web/roles/texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { EmptyState, StateCard } from '#web/ui/states.tsx';

/** Instead of a page that the role may not see. */
export function NotForRole({ role }: { role: MemberRole }) {
  return (
    <>
      <PageHead title={texts.notYours} />
      <StateCard>
        <EmptyState
          icon={<Lock size={20} />}
          title={texts.names[role]}
          action={
            <Button component={Link} to="/marketplace" variant="default">
              {texts.back}
            </Button>
          }
        >
          {texts.notYoursMore(texts.names[role])}
        </EmptyState>
      </StateCard>
    </>
  );
}
