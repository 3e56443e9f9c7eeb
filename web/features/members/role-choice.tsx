import { Radio, Stack } from '@mantine/core';
import { type GivenRole, givenRoleSchema } from '#shared/contract/members.ts';
import { givenRoles, roleSummary } from '#web/features/members/role-summary.ts';
import { roleTexts } from '#web/roles/texts.ts';

/** Chooses a role, with one line on what each may. */
export function RoleChoice({
  label,
  value,
  onChange,
}: {
  label: string;
  value: GivenRole;
  onChange: (role: GivenRole) => void;
}) {
  return (
    <Radio.Group label={label} value={value} onChange={(role) => onChange(givenRoleSchema.parse(role))}>
      <Stack gap={12} mt={8}>
        {givenRoles.map((role) => (
          <Radio key={role} value={role} label={roleTexts.names[role]} description={roleSummary(role)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
