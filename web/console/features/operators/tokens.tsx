import { operatorCalls, type OperatorReply } from '#shared/contract/operator/calls.ts';
import { isForTokens } from '#shared/policies/policies.ts';
import { useMay } from '#web/console/api/use-operator.ts';
import { actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { When } from '#web/console/ui/cells.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';

type Token = OperatorReply<'listTokens'>['tokens'][number];

const revoke = ({ id, name }: Token) =>
  actionOf({
    call: 'revokeToken',
    title: `Revoke the token ${name}`,
    verb: 'Revoke',
    isDangerous: true,
    input: () => ({ tokenId: id ?? '' }),
  });

const columns: readonly Column<Token>[] = [
  { header: 'Name', text: ({ name }) => name },
  { header: 'Ends in', text: ({ hint }) => hint, cell: ({ hint }) => `…${hint}`, isId: true },
  { header: 'Acts for', text: ({ operator }) => operator },
  { header: 'Calls', text: ({ scopes }) => scopes.join(' '), cell: ({ scopes }) => scopes.length, align: 'right' },
  { header: 'Valid until', text: ({ expiresAt }) => expiresAt, cell: ({ expiresAt }) => <When at={expiresAt} /> },
  {
    header: 'Last used',
    text: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <When at={lastUsedAt} />),
  },
  {
    header: 'Revoked',
    text: ({ revokedAt }) => revokedAt,
    cell: ({ revokedAt }) => revokedAt !== null && <When at={revokedAt} />,
  },
  {
    header: 'Actions',
    cell: (token) => token.revokedAt === null && <Actions list={[revoke(token)]} of={token.name} />,
  },
];

/** Tokens of programs; a program makes the calls of the console. */
export function Tokens() {
  const may = useMay();
  const calls = Object.values(operatorCalls).filter(({ name }) => may(name) && isForTokens(name));
  const reads = calls.filter((call) => !('action' in call)).map(({ name }) => name);
  const scopes = new Map<string, readonly string[]>([
    ['reads', reads],
    ['all', calls.map(({ name }) => name)],
    ...calls.map(({ name }) => [name, [name]] as const),
  ]);
  const create = actionOf({
    call: 'createToken',
    title: 'Make a token',
    verb: 'Make',
    about: 'For a program that makes the calls of the console for you. It is shown once, here.',
    fields: [
      { name: 'name', label: 'Name', hint: 'Such as CRM' },
      {
        name: 'scope',
        label: 'What it may do, as long as you may',
        kind: 'choice',
        initial: 'reads',
        choices: [
          { value: 'reads', label: 'Read what you may read' },
          { value: 'all', label: 'All that you may do' },
          ...calls.map(({ name, summary }) => ({ value: name, label: `Only: ${summary}` })),
        ],
      },
      { name: 'days', label: 'Days until it ends', kind: 'number', initial: '90' },
    ],
    input: (value) => ({
      name: value('name'),
      scopes: [...(scopes.get(value('scope')) ?? [])],
      days: Number(value('days')),
    }),
  });
  return (
    <CallTable
      label="Tokens of programs"
      call="listTokens"
      input={{}}
      rows={({ tokens }) => tokens}
      rowKey={({ id }) => id ?? ''}
      columns={columns}
      isOff={({ revokedAt }) => revokedAt !== null}
      empty="None: no program makes calls."
      filters={<Actions list={[create]} />}
    />
  );
}
