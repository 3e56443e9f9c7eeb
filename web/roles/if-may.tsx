import type { ReactNode } from 'react';
import type { MemberCallName } from '#shared/policies/members/rights.ts';
import { useMay } from '#web/roles/use-role.ts';

/** What leads to a call, for those who may make it. */
export function IfMay({ call, children }: { call: MemberCallName; children: ReactNode }) {
  return useMay()(call) ? children : null;
}
