import { VisuallyHidden } from '@mantine/core';
import { Check } from 'lucide-react';
import { operatorCalls, type OperatorCallName } from '#shared/contract/operator/calls.ts';
import { type OperatorRole, operatorRoles } from '#shared/contract/operator/roles.ts';
import { mayCall } from '#shared/policies/policies.ts';
import { Approvals } from '#web/console/features/operators/approvals.tsx';
import { Operators } from '#web/console/features/operators/operators.tsx';
import { Passkeys } from '#web/console/features/operators/passkeys.tsx';
import { Tokens } from '#web/console/features/operators/tokens.tsx';
import { Endpoints } from '#web/console/features/webhooks/endpoints.tsx';
import { Page } from '#web/console/ui/page.tsx';
import { type Column, RowPart } from '#web/console/ui/row-table.tsx';
import { Tabs } from '#web/console/ui/tabs.tsx';
import { useFilter } from '#web/console/ui/use-filter.ts';

const isCallName = (name: string): name is OperatorCallName => name in operatorCalls;
const callNames = Object.keys(operatorCalls).filter(isCallName);
/** What not everybody may do. */
const restricted = callNames.filter((name) => !operatorRoles.every((role) => mayCall(role, name)));

const wordOfRole = (role: OperatorRole) => role.slice(0, 1).toUpperCase() + role.slice(1);

const ofRole = (role: OperatorRole): Column<OperatorCallName> => ({
  header: wordOfRole(role),
  text: (name) => (mayCall(role, name) ? 'yes' : 'no'),
  cell: (name) => (mayCall(role, name) ? <Check size={16} aria-label="yes" /> : <VisuallyHidden>no</VisuallyHidden>),
});

const columns: readonly Column<OperatorCallName>[] = [
  { header: 'Call', text: (name) => operatorCalls[name].summary },
  ...operatorRoles.map(ofRole),
];

const tabs = ['people', 'programs', 'roles'] as const;
const tabNames = { people: 'People', programs: 'Tokens and webhooks', roles: 'Roles' };

/** Who works here, with what rights, how they confirm what matters, and the programs that act for them. */
export function TeamPage() {
  const [tab] = useFilter('tab', tabs);
  return (
    <Page title="Team & API">
      <Tabs
        label="Parts of the team"
        tabs={tabs.map((each) => ({ to: `?tab=${each}`, label: tabNames[each], isCurrent: each === tab }))}
      />
      <Shown tab={tab} />
    </Page>
  );
}

function Shown({ tab }: { tab: (typeof tabs)[number] }) {
  switch (tab) {
    case 'people':
      return (
        <>
          <Approvals />
          <Operators />
          <Passkeys />
        </>
      );
    case 'programs':
      return (
        <>
          <Tokens />
          <Endpoints />
        </>
      );
    default:
      return (
        <>
          <RowPart label="What each role may do" columns={columns} rows={restricted} rowKey={(name) => name} empty="" />
          <p className="caption dim">
            Every role may make {callNames.length - restricted.length} more calls, which only read. Anyone with access
            to the server has the rights of an owner through the octroi command.
          </p>
        </>
      );
  }
}
