import { Radio } from '@mantine/core';
import { type GivenRole, givenRoleSchema } from '#shared/contract/members.ts';
import classes from '#web/features/members/members.module.css';
import { roleSummary } from '#web/features/members/role-summary.ts';
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
      <div className={classes.roles}>
        {givenRoleSchema.options.map((role) => (
          <Radio key={role} value={role} label={roleTexts.names[role]} description={roleSummary(role)} />
        ))}
      </div>
    </Radio.Group>
  );
}
