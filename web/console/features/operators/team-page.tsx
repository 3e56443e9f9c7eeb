import { operatorCalls, type OperatorCallName } from '#shared/contract/operator/calls.ts';
import { type OperatorRole, operatorRoles } from '#shared/contract/operator/roles.ts';
import { mayCall } from '#shared/policies/policies.ts';
import { Approvals } from '#web/console/features/operators/approvals.tsx';
import { Operators } from '#web/console/features/operators/operators.tsx';
import { Passkeys } from '#web/console/features/operators/passkeys.tsx';
import { Tokens } from '#web/console/features/operators/tokens.tsx';
import { Endpoints } from '#web/console/features/webhooks/endpoints.tsx';
import { Page, Part } from '#web/console/ui/page.tsx';
import { type Column, RowTable } from '#web/console/ui/row-table.tsx';

const isCallName = (name: string): name is OperatorCallName => name in operatorCalls;
const callNames = Object.keys(operatorCalls).filter(isCallName);
/** What not everybody may do. */
const restricted = callNames.filter((name) => !operatorRoles.every((role) => mayCall(role, name)));

const wordOfRole = (role: OperatorRole) => role.slice(0, 1).toUpperCase() + role.slice(1);

const ofRole = (role: OperatorRole): Column<OperatorCallName> => ({
  header: wordOfRole(role),
  text: (name) => (mayCall(role, name) ? 'yes' : 'no'),
  cell: (name) => (mayCall(role, name) ? <b>yes</b> : <span className="dim">no</span>),
});

const columns: readonly Column<OperatorCallName>[] = [
  { header: 'Call', text: (name) => operatorCalls[name].summary },
  ...operatorRoles.map(ofRole),
];

/** Who works here, with what rights, and how they confirm what matters. */
export function TeamPage() {
  return (
    <Page title="Team & API">
      <Approvals />
      <Operators />
      <Passkeys />
      <Tokens />
      <Endpoints />
      <Part title="What each role may do">
        <RowTable label="What each role may do" columns={columns} rows={restricted} rowKey={(name) => name} empty="" />
        <p className="caption dim">
          Every role may make {callNames.length - restricted.length} more calls, which only read. Anyone with access to
          the server has the rights of an owner through the octroi command.
        </p>
      </Part>
    </Page>
  );
}
