import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { MemberRecord } from '#shared/contract/operator/members.ts';
import { actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { When } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { LoadedCall } from '#web/console/ui/loaded-call.tsx';
import { type Column, RowPart } from '#web/console/ui/row-table.tsx';

type Invitation = OperatorReply<'readMembers'>['invitations'][number];

const memberColumns: readonly Column<MemberRecord>[] = [
  { header: 'Name', text: ({ name }) => name },
  { header: 'Address', text: ({ email, isForgotten }) => (isForgotten ? 'Forgotten' : email) },
  { header: 'Role', text: ({ role }) => wordOf(role) },
  { header: 'Since', text: ({ joinedAt }) => joinedAt, cell: ({ joinedAt }) => <When at={joinedAt} /> },
  {
    header: 'Removed',
    text: ({ removedAt }) => removedAt,
    cell: ({ removedAt }) => removedAt !== null && <When at={removedAt} />,
  },
  { header: 'Member', text: ({ id }) => id, isId: true },
  {
    header: 'Actions',
    cell: ({ id: memberId, name, removedAt, isForgotten }) =>
      removedAt !== null &&
      !isForgotten && (
        <Actions
          list={[
            actionOf({
              call: 'forgetMember',
              title: `Forget ${name}`,
              verb: 'Forget',
              isDangerous: true,
              about: 'Name and address go for good. What the member did stays, without a name.',
              input: () => ({ memberId }),
            }),
          ]}
          of={name}
        />
      ),
  },
];

const states: Readonly<Record<Invitation['state'], string>> = {
  ASKED: 'Asks to join',
  WAITING: 'Waits for the answer',
  LATER: 'From its first day, unless the owner objects',
  EXPIRED: 'Expired',
};

const invitationColumns: readonly Column<Invitation>[] = [
  { header: 'Address', text: ({ email }) => email },
  {
    header: 'Role',
    text: ({ role, state, byProvider }) =>
      state === 'ASKED' ? null : role === 'owner' && byProvider ? 'Owner, by us' : wordOf(role),
  },
  { header: 'State', text: ({ state }) => states[state] },
  {
    header: 'From',
    text: ({ startsAt }) => startsAt,
    cell: ({ startsAt }) => startsAt !== null && <When at={startsAt} />,
  },
  { header: 'Until', text: ({ endsAt }) => endsAt, cell: ({ endsAt }) => endsAt !== null && <When at={endsAt} /> },
  { header: 'Invitation', text: ({ id }) => id, isId: true },
];

/** Who acts for the customer, who did before, and who is invited. */
export function MembersOfCustomer({ customerId }: { customerId: string }) {
  return (
    <LoadedCall call="readMembers" input={{ customerId }} failed="The members could not be read" height={240}>
      {({ members, invitations }) => (
        <>
          <RowPart
            label="Members"
            columns={memberColumns}
            rows={members}
            rowKey={({ id }) => id}
            isOff={({ removedAt }) => removedAt !== null}
            empty="Nobody."
          />
          <RowPart
            label="Invitations"
            columns={invitationColumns}
            rows={invitations}
            rowKey={({ id }) => id}
            isOff={({ state }) => state === 'EXPIRED'}
            empty="Nobody is invited."
          />
        </>
      )}
    </LoadedCall>
  );
}
