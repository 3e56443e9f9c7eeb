import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { z } from 'zod';
import type {
  ActionName,
  ExportName,
  OperatorCallName,
  OperatorCalls,
  OperatorInput,
  OperatorReply,
  ReadName,
} from '#shared/contract/operator/calls.ts';
import { causeSchema } from '#shared/contract/operator/operator-call.ts';
import { makeFolder, makeWritableFolder } from '#shared/platform/make-folder.ts';
import type { OperatorRole } from '#shared/policies/policy.ts';
import type { OperatorCause } from '#server/audit-log/audit-log.ts';
import {
  actAsOperator,
  exportAsOperator,
  needsDatabaseOnly,
  previewAsOperator,
  readAsOperator,
} from '#server/operator-calls.ts';
import { asOperator, withSource } from '#server/operator-context.ts';
import type { Exported, OperatorSource } from '#server/operator-handler.ts';
import { CommandFailed, exitCodes, printResult, shownText } from './command-result.ts';

/** Whoever has the machine has every right. */
const role: OperatorRole = 'owner';

/** Options of every command that changes something. */
export interface ActionOptions {
  reason: string;
  actor: string;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** The person at the terminal, also behind sudo; in a container the user may have no name. */
export function currentActor(): string {
  try {
    const { SUDO_USER: behindSudo = '' } = process.env;
    return behindSudo === '' ? userInfo().username : behindSudo;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

const lineOf =
  (option: string, line: z.ZodString) =>
  (text: string): string => {
    const { data } = line.safeParse(text);
    if (data === undefined)
      throw new CommandFailed(
        `${option} takes 1 to ${line.maxLength} characters, without control characters. Nothing was changed.`,
        exitCodes.usage,
      );
    return data;
  };

export const readActor = lineOf('--actor', causeSchema.shape.actor);

/** Adds them to a command. */
export function withActionOptions(command: Command): Command {
  return command
    .requiredOption(
      '--reason <text>',
      'why; kept in the audit log, and read by the customer it concerns',
      lineOf('--reason', causeSchema.shape.reason),
    )
    .option('--actor <name>', 'who acts', readActor, currentActor())
    .option('--dry-run', 'show the effect and change nothing')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print the result as JSON');
}

const callsOfCommands = new WeakMap<Command, OperatorCallName>();

/** The operator's call that a command makes. */
export const callOf = (command: Command): OperatorCallName | undefined => callsOfCommands.get(command);

/** Says that a command makes this call; its options are its own. */
export function makes({ name }: { name: OperatorCallName }, command: Command): Command {
  callsOfCommands.set(command, name);
  return command;
}

/** A command that makes this call, with the options that all such commands have. */
export function commandFor(call: OperatorCalls[OperatorCallName], command: Command): Command {
  makes(call, command);
  return 'action' in call ? withActionOptions(command) : command.option('--json', 'print the result as JSON');
}

/** Makes a call that changes nothing. */
export const ask = <Name extends ReadName>(
  { name }: { name: Name },
  input: OperatorInput<Name>,
): Promise<OperatorReply<Name>> => withSource((source) => readAsOperator(source, role, name, input));

/** Makes the file of a call; the audit log names the person at the terminal. */
export const exportFrom = <Name extends ExportName>(
  source: OperatorSource,
  { name }: { name: Name },
  input: OperatorInput<Name>,
): Promise<Exported<OperatorReply<Name>>> => exportAsOperator(source, role, name, input, currentActor());

/** Writes the files of a call into a folder, and creates it. */
export async function exportInto<Name extends ExportName>(
  folder: string,
  call: { name: Name },
  input: OperatorInput<Name>,
): Promise<OperatorReply<Name>> {
  makeWritableFolder(folder);
  const { reply, texts } = await withSource((source) => exportFrom(source, call, input));
  for (const { name, content } of texts) {
    makeFolder(dirname(join(folder, name)));
    writeFileSync(join(folder, name), content);
  }
  return reply;
}

/** Makes a call that changes nothing, and prints its reply: as JSON, or as these lines. */
export async function show<Name extends ReadName>(
  call: { name: Name },
  input: OperatorInput<Name>,
  { json }: { json?: boolean },
  linesOf: (reply: OperatorReply<Name>) => string[],
): Promise<OperatorReply<Name>> {
  const reply = await ask(call, input);
  printResult(json, Object(reply), linesOf(reply));
  return reply;
}

/** What a command says around an action. */
interface ActionWords<Name extends ActionName> {
  /** The key in JSON that says whether it was done. */
  did: string;
  /** What it will do. */
  effect: (preview: OperatorReply<Name>) => string[];
  question: string | ((preview: OperatorReply<Name>) => string);
  done: (reply: OperatorReply<Name>, preview: OperatorReply<Name>) => string[];
  /** Further keys of the JSON. */
  also?: (reply: OperatorReply<Name>, preview: OperatorReply<Name>) => object;
  /** It was done before, and nobody is asked. */
  isDone?: (preview: OperatorReply<Name>) => boolean;
  /** The input that means exactly what was shown, where the one that was given may come to mean something else. */
  exactly?: (preview: OperatorReply<Name>) => OperatorInput<Name>;
}

/** Shows what an action would do, asks, does it, and prints its reply. */
export async function act<Name extends ActionName>(
  { name }: { name: Name },
  input: OperatorInput<Name>,
  options: ActionOptions,
  words: ActionWords<Name>,
): Promise<void> {
  const cause = causeOf(options);
  const open: typeof withSource = needsDatabaseOnly(name) ? withSource : asOperator;
  await open(async (operator) => {
    const preview = await previewAsOperator(operator, role, name, input, cause);
    const print = (isDone: boolean, reply: OperatorReply<Name>, lines: string[]) =>
      printResult(
        options.json,
        { [words.did]: isDone, ...(isDone ? words.also?.(reply, preview) : {}), ...reply },
        lines,
      );
    if (words.isDone?.(preview) === true) return print(true, preview, words.done(preview, preview));
    const effect = words.effect(preview);
    if (options.dryRun === true) return print(false, preview, [...effect, 'Nothing was changed.']);
    showEffect(effect, options);
    await confirm(typeof words.question === 'string' ? words.question : words.question(preview), options);
    const reply = await actAsOperator(operator, role, name, words.exactly?.(preview) ?? input, cause);
    return print(true, reply, words.done(reply, preview));
  });
}

export const causeOf = ({ actor, reason }: ActionOptions): OperatorCause => ({ actor, reason });

/** Shows the effect of a command that is about to ask. */
export function showEffect(lines: readonly string[], { yes, json }: Pick<ActionOptions, 'yes' | 'json'>): void {
  if (yes !== true && json !== true) process.stderr.write(`${shownText(lines.join('\n'))}\n`);
}

/** Asks at a terminal whether to go on; without one, `--yes` is needed. */
export async function confirm(question: string, { yes, json }: Pick<ActionOptions, 'yes' | 'json'>): Promise<void> {
  if (yes === true) return;
  if (!process.stdin.isTTY || json === true)
    throw new CommandFailed(
      'Nothing was changed. Add --yes to do it, or --dry-run to see its effect.',
      exitCodes.usage,
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const reply = await terminal.question(`${question} [y/N] `);
    if (!/^y(es)?$/i.test(reply.trim())) throw new CommandFailed('Nothing was changed.');
  } finally {
    terminal.close();
  }
}
