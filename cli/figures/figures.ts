import { Command, Option } from 'commander';
import { dayArgument } from '#cli/arguments.ts';
import { ask, commandFor, show } from '#cli/operator.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { figureDefinitions, mostFigureDays, readFigures } from '#shared/contract/operator/figures.ts';
import { csvOf } from '#shared/domain/csv.ts';
import type { Day } from '#shared/domain/day.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';

const tables = ['days', 'products', 'plans', 'customers'] as const;

interface Options {
  csv?: (typeof tables)[number];
  json?: boolean;
}

/** `octroi figures`. */
export function figuresCommand(): Command {
  return commandFor(readFigures, new Command('figures'))
    .description('Show cash, revenue, plans, calls and conversion of some days: by day, product, plan and customer')
    .argument('[from]', 'the first day; default: 30 days ago', dayArgument)
    .argument('[to]', 'the last day; default: yesterday', dayArgument)
    .addOption(new Option('--csv <table>', 'print one of the tables as CSV').choices(tables))
    .addHelpText(
      'after',
      `\n${Object.entries(figureDefinitions)
        .map(([name, text]) => `  ${name}: ${text}`)
        .join(
          '\n',
        )}\n\nAt most ${mostFigureDays} days.\n\nExamples:\n  octroi figures\n  octroi figures 2026-11-01 2026-11-30 --csv days`,
    )
    .action(printFigures);
}

async function printFigures(from: Day | undefined, to: Day | undefined, { csv, json }: Options): Promise<void> {
  const input = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  if (csv !== undefined) {
    process.stdout.write(csvOfTable(csv, await ask(readFigures, input)));
    return;
  }
  await show(readFigures, input, json === undefined ? {} : { json }, linesOf);
}

/** What is not known is an empty cell. */
function csvOfTable(table: (typeof tables)[number], figures: OperatorReply<'readFigures'>): string {
  const columns = Object.keys(readFigures.reply.shape[table].element.shape);
  const rows: readonly Record<string, string | number | null>[] = figures[table];
  return csvOf(
    columns,
    rows.map((row) => columns.map((column) => row[column] ?? '')),
  );
}

function linesOf({ days, products, plans, customers }: OperatorReply<'readFigures'>): string[] {
  const sum = (of: 'cash' | 'revenue'): string => money(days.reduce((total, day) => total + toPaise(day[of]), 0) / 100);
  const calls = days.reduce((total, day) => total + day.calls, 0);
  return [
    `${days[0]?.day ?? ''} to ${days.at(-1)?.day ?? ''}: cash ${sum('cash')}, revenue ${sum('revenue')}, ${days.at(-1)?.activePaidPlans ?? 0} paid plans on the last day, ${calls} calls`,
    ...products.map(
      ({ productId, revenue, calls: answered, refused, startedFree, nowPaid }) =>
        `${productId}: revenue ${money(revenue)}, ${answered} calls${refused === null ? '' : `, ${refused} refused`}; ${nowPaid} of ${startedFree} who started free have paid`,
    ),
    ...plans.map(
      ({ productId, planName, revenue, activePaidPlans, prepaidDays }) =>
        `  ${productId}, ${planName}: revenue ${money(revenue)}, ${activePaidPlans} paid, ${prepaidDays} days prepaid`,
    ),
    ...customers.map(
      ({ customerId, name, revenue, calls: answered }) =>
        `${customerId}  ${name}: revenue ${money(revenue)}, ${answered} calls`,
    ),
  ];
}

const money = (rupees: number): string => formatRupees(toPaise(rupees));
