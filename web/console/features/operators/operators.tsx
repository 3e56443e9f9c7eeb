import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { type OperatorRole, operatorRoles } from '#shared/contract/operator/roles.ts';
import { type Action, actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { When } from '#web/console/ui/cells.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';

type Team = OperatorReply<'listOperators'>;
type Operator = Team['operators'][number];
type Domain = Team['domains'][number];

const roleField = (initial: OperatorRole, roles: readonly OperatorRole[] = operatorRoles) => ({
  name: 'role',
  label: 'Role',
  hint: 'The tab Roles shows what each may do',
  kind: 'choice' as const,
  initial,
  choices: roles.map((role) => ({ value: role, label: role })),
});

const roleOf = (value: string): OperatorRole => operatorRoles.find((role) => role === value) ?? 'read-only';

const add = actionOf({
  call: 'addOperator',
  title: 'Add an operator',
  verb: 'Add',
  fields: [{ name: 'email', label: 'Google address' }, roleField('support')],
  input: (value) => ({ email: value('email'), role: roleOf(value('role')) }),
});

const guestRoles = ['support', 'finance', 'read-only'] as const;

const addDomain = actionOf({
  call: 'addOperatorDomain',
  title: 'Add a Workspace domain',
  verb: 'Add domain',
  about: 'Anyone with an account in this domain can sign in, and starts with this role.',
  fields: [{ name: 'domain', label: 'Domain' }, roleField('read-only', guestRoles)],
  input: (value) => ({
    domain: value('domain'),
    role: guestRoles.find((role) => role === value('role')) ?? 'read-only',
  }),
});

const actionsOn = ({ email, role }: Operator): Action[] => [
  actionOf({
    call: 'changeOperator',
    title: `Change the role of ${email}`,
    verb: 'Change role',
    fields: [roleField(role)],
    input: (value) => ({ email, role: roleOf(value('role')) }),
  }),
  actionOf({
    call: 'removeOperator',
    title: `Remove ${email}`,
    verb: 'Remove',
    isDangerous: true,
    input: () => ({ email }),
  }),
];

const columns: readonly Column<Operator>[] = [
  { header: 'E-mail', text: ({ email }) => email },
  { header: 'Name', text: ({ name }) => name },
  { header: 'Role', text: ({ role }) => role },
  { header: 'Passkeys', text: ({ passkeys }) => passkeys, align: 'right' },
  { header: 'Sessions', text: ({ sessions }) => sessions, align: 'right' },
  {
    header: 'Last sign-in',
    text: ({ signedInAt }) => signedInAt,
    cell: ({ signedInAt }) => (signedInAt === null ? 'Never' : <When at={signedInAt} />),
  },
  { header: 'Actions', cell: (operator) => <Actions list={actionsOn(operator)} of={operator.email} /> },
];

const domainColumns: readonly Column<Domain>[] = [
  { header: 'Domain', text: ({ domain }) => domain },
  { header: 'First role', text: ({ role }) => role },
  { header: 'Added', text: ({ addedAt }) => addedAt, cell: ({ addedAt }) => <When at={addedAt} /> },
  {
    header: 'Actions',
    cell: ({ domain }) => (
      <Actions
        of={domain}
        list={[
          actionOf({
            call: 'removeOperatorDomain',
            title: `Remove ${domain}`,
            verb: 'Remove',
            isDangerous: true,
            about: 'Nobody else can sign in with this domain. People who already have stay operators.',
            input: () => ({ domain }),
          }),
        ]}
      />
    ),
  },
];

/** People and domains. */
export function Operators() {
  return (
    <>
      <CallTable
        label="Operators"
        call="listOperators"
        input={{}}
        rows={({ operators }) => operators}
        rowKey={({ id }) => id}
        columns={columns}
        empty="Nobody yet."
        filters={<Actions list={[add, addDomain]} />}
      />
      <CallTable
        label="Workspace domains"
        call="listOperators"
        input={{}}
        rows={({ domains }) => domains}
        rowKey={({ domain }) => domain}
        columns={domainColumns}
        empty="None: only the people above sign in."
      />
    </>
  );
}
