import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { CommandFailed } from '#cli/command-result.ts';
import { act, type ActionOptions, commandFor, show } from '#cli/operator.ts';
import { findKeys, type FoundKey, listKeysOfCustomer, revokeKey } from '#shared/contract/operator/api-keys.ts';
import { istTime } from '#shared/domain/day.ts';

const whichKey = `The key: its id (KEY-…), the whole key, or its beginning (gstk_live_Ab12Cd). "-" reads it from standard input, which keeps it out of the shell's history.`;

/** `octroi keys …`: customers' API keys. */
export function keysCommands(): Command {
  const keys = new Command('keys').description("Customers' API keys: find one that leaked, list a customer's, revoke.");
  commandFor(findKeys, keys.command('find <key>'))
    .description(`Find a key and whose it is. ${whichKey}`)
    .addHelpText('after', '\nExamples:\n  octroi keys find gstk_live_Ab12Cd\n  octroi keys find - < leaked-key.txt')
    .action(find);
  commandFor(listKeysOfCustomer, keys.command('list <customer>'))
    .description('List the keys of a customer, newest first, revoked ones too. Nobody can see the keys themselves.')
    .addHelpText('after', '\nExample:\n  octroi keys list CUS-7K2M9QX4TB01')
    .action(list);
  commandFor(revokeKey, keys.command('revoke <key>'))
    .description(
      `Revoke a key for good, and mail its customer the reason. Returns when every running gateway refuses it. ${whichKey}`,
    )
    .addHelpText(
      'after',
      `
Examples:
  octroi keys revoke gstk_live_Ab12Cd --reason "Found in a public repository" --dry-run
  octroi keys revoke KEY-x7Yk2 --reason "Found in a public repository" --yes`,
    )
    .action(revoke);
  return keys;
}

const given = async (key: string): Promise<string> => (key === '-' ? (await text(process.stdin)).trim() : key);

const linesOf = (keys: readonly FoundKey[]): string[] =>
  keys.length === 0 ? ['No key found.'] : keys.flatMap(describe);

async function find(key: string, options: { json?: boolean }): Promise<void> {
  const { keys } = await show(findKeys, { key: await given(key) }, options, (reply) => linesOf(reply.keys));
  if (keys.length === 0 && options.json !== true)
    throw new CommandFailed('A key from before its beginning was stored is found by its id or the whole key.');
}

async function list(customerId: string, options: { json?: boolean }): Promise<void> {
  await show(listKeysOfCustomer, { customerId }, options, ({ keys }) => linesOf(keys));
}

async function revoke(key: string, options: ActionOptions): Promise<void> {
  await act(revokeKey, { key: await given(key) }, options, {
    did: 'revoked',
    effect: (preview) => [
      ...describe(preview.key),
      'Its calls will be refused with 401, for good. The customer gets a mail with the reason.',
    ],
    question: 'Revoke this key?',
    exactly: (preview) => ({ key: preview.key.id }),
    done: ({ key: { id }, effectiveBy }) => [
      effectiveBy === null
        ? `${id} is revoked: every running gateway refuses it from now on.`
        : `${id} is revoked. A gateway has not confirmed it; from ${effectiveBy} at the latest all of them refuse it.`,
    ],
  });
}

function stateOf({ revokedAt, expiresAt, isExpired }: FoundKey): string {
  if (revokedAt !== null) return `revoked ${istTime(new Date(revokedAt))}`;
  if (expiresAt === null) return 'in use';
  return `${isExpired ? 'expired' : 'in use until'} ${istTime(new Date(expiresAt))}`;
}

function describe(key: FoundKey): string[] {
  const shown = `${key.prefix ?? (key.isTest ? 'gstk_test_' : 'gstk_live_')}…${key.hint}`;
  return [
    `${key.id}  ${shown}  ${key.name}  ${stateOf(key)}`,
    `  ${key.customerName} <${key.customerEmail}>  ${key.customerId}  ${key.activationId}  ${key.productId}`,
  ];
}
