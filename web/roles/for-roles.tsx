import { Tooltip } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { useContext, useMemo } from 'react';
import type { MemberRole } from '#shared/contract/member-roles.ts';
import { roleTexts } from '#web/roles/texts.ts';
import { useRole } from '#web/roles/use-role.ts';
import { ReadOnly } from '#web/ui/read-only.ts';

const howSeen = { hover: true, focus: true, touch: true };

/** For these roles its buttons work; for others each says why it doesn't. */
export function ForRoles({ roles, children }: { roles: readonly MemberRole[]; children: ReactNode }) {
  const role = useRole();
  const around = useContext(ReadOnly);
  const isRefused = role !== undefined && !roles.includes(role);
  const explained = useMemo(
    () =>
      isRefused
        ? (button: ReactElement) => (
            <Tooltip label={roleTexts.notForRole(roleTexts.names[role])} events={howSeen}>
              {button}
            </Tooltip>
          )
        : around,
    [isRefused, role, around],
  );
  return <ReadOnly value={explained}>{children}</ReadOnly>;
}
