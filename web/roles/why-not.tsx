import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import type { MemberRole } from '#shared/contract/member-roles.ts';
import { roleTexts } from '#web/roles/texts.ts';

const howSeen = { hover: true, focus: true, touch: true };

/** Around a button: that the role may not use it. */
export function WhyNot({ role, children }: { role: MemberRole; children: ReactElement }) {
  return (
    <Tooltip label={roleTexts.notForRole(roleTexts.names[role])} events={howSeen}>
      {children}
    </Tooltip>
  );
}
