import type { Finished, Restored } from '#backup/restore-backup.ts';
import { unnotedText } from '#backup/series-outside.ts';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { describe, summary } from './backup.ts';

export function report({ manifest, ...finished }: Restored, json: boolean | undefined, hints: string[]): void {
  reportFinished(finished, json, summary(manifest), hints, describe(manifest));
}

/** What follows every restore, and what is left to the operator. */
export function reportFinished(
  finished: Finished,
  json: boolean | undefined,
  about: object,
  hints: string[],
  lines: string[] = [],
): void {
  const { faults, closedSeries, begins, outside, ended, lookAt } = finished;
  printResult(json, { ...about, ...finished }, [
    ...lines,
    faults.length === 0 ? 'The ledger is correct.' : `The ledger has ${faults.length} faults:`,
    ...faults.map((fault) => `  ✗ ${fault}`),
    `Documents continue in the series ${begins.join(', ')}; closed: ${closedSeries.join(', ')}`,
    ...(outside.knownBy.length > 0 ? [`They follow what is known from ${outside.knownBy.join(', ')}.`] : []),
    ...(outside.knownBy.length === 0 || outside.silent.length > 0
      ? [
          `No other restore left word of its series${outside.silent.length > 0 ? ` in ${outside.silent.join(', ')}` : ''}. If one issued documents that nobody named here knows: octroi restore --finish --yes --series-after LETTERS, before the start.`,
        ]
      : []),
    ...outside.unnoted.map(unnotedText),
    'Ended, because it may have ended since the backup:',
    ...ended.map(lineOf),
    'As in the backup. Compare what waits with what was decided since, and remove what was removed, rotated or lowered since:',
    ...lookAt.map(lineOf),
    ...hints,
  ]);
  if (faults.length > 0) throw new CommandFailed('The restored ledger does not hold.', exitCodes.faults);
}

const lineOf = ({ what, count, names }: Restored['ended'][number]): string =>
  `  ${what}: ${[count, ...names].join(', ')}`;
