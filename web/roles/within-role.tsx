import { type ReactElement, type ReactNode, Suspense, useMemo } from 'react';
import type { MemberRole } from '#shared/contract/member-roles.ts';
import type { MemberCallName } from '#shared/policies/members/rights.ts';
import { lazyComponent } from '#web/ui/load-code.ts';
import { RoleLimits } from '#web/ui/read-only.ts';

const WhyNot = lazyComponent(async () => (await import('#web/roles/why-not.tsx')).WhyNot);

/** Inside, each button of a call that the role may not make says so. */
export function WithinRole({
  role,
  mayNot,
  children,
}: {
  /** Undefined until it is known. */
  role: MemberRole | undefined;
  mayNot: readonly string[];
  children: ReactNode;
}) {
  const limits = useMemo(
    () => (call: MemberCallName) =>
      role !== undefined && mayNot.includes(call) ? (button: ReactElement) => explained(role, button) : null,
    [role, mayNot],
  );
  return <RoleLimits value={limits}>{children}</RoleLimits>;
}

const explained = (role: MemberRole, button: ReactElement) => (
  <Suspense fallback={button}>
    <WhyNot role={role}>{button}</WhyNot>
  </Suspense>
);
