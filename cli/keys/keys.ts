import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { CommandFailed, printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect, withActionOptions } from '#cli/operator.ts';
import { istTime } from '#domain/day.ts';
import { asOperator, asReader } from '#server/operator-context.ts';
import { findKeys, findUsableKey, type FoundKey, revokeKey } from '#server/operator/keys.ts';

const whichKey = `The key: its id (KEY-…), the whole key, or its beginning (gstk_live_Ab12Cd). "-" reads it from standard input, which keeps it out of the shell's history.`;

/** `octroi keys …`: customers' API keys. */
export function keysCommands(): Command {
  const keys = new Command('keys').description("Customers' API keys: find one that leaked, revoke it.");
  keys
    .command('find <key>')
    .description(`Find a key and whose it is. ${whichKey}`)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExamples:\n  octroi keys find gstk_live_Ab12Cd\n  octroi keys find - < leaked-key.txt')
    .action(find);
  withActionOptions(keys.command('revoke <key>'))
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

async function find(key: string, { json }: { json?: boolean }): Promise<void> {
  const sought = await given(key);
  const keys = await asReader((db) => findKeys(db, sought));
  printResult(json, { keys }, keys.length === 0 ? ['No key found.'] : keys.flatMap(describe));
  if (keys.length === 0 && json !== true)
    throw new CommandFailed('A key from before its beginning was stored is found by its id or the whole key.');
}

async function revoke(key: string, options: ActionOptions): Promise<void> {
  const sought = await given(key);
  await asOperator(async (operator) => {
    const found = await findUsableKey(operator.db, sought);
    const effect = [
      ...describe(found),
      'Its calls will be refused with 401, for good. The customer gets a mail with the reason.',
    ];
    if (options.dryRun === true) return printResult(options.json, { revoked: false, key: found }, effect);
    showEffect(effect, options);
    await confirm('Revoke this key?', options);
    const { key: revoked, effectiveBy } = await revokeKey(operator, found.id, causeOf(options));
    return printResult(options.json, { revoked: true, key: revoked, effectiveBy }, [
      effectiveBy === null
        ? `${found.id} is revoked: every running gateway refuses it from now on.`
        : `${found.id} is revoked. A gateway has not confirmed it; from ${effectiveBy} at the latest all of them refuse it.`,
    ]);
  });
}

function describe(key: FoundKey): string[] {
  const state = key.revokedAt === null ? 'in use' : `revoked ${istTime(key.revokedAt)}`;
  const shown = `${key.prefix ?? (key.isTest ? 'gstk_test_' : 'gstk_live_')}…${key.hint}`;
  return [
    `${key.id}  ${shown}  ${key.name}  ${state}`,
    `  ${key.customerName} <${key.customerEmail}>  ${key.customerId}  ${key.activationId}  ${key.productId}`,
  ];
}
