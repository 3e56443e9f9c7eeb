import { dirname } from 'node:path';
import { printResult } from '#cli/command-result.ts';
import { dataFolder } from '#cli/data-folder.ts';
import { withProgress } from '#cli/progress.ts';
import { writeWholeFile } from '#cli/whole-file.ts';
import type { Month } from '#shared/domain/month.ts';
import { makeFolder } from '#shared/platform/make-folder.ts';
import { selectToday } from '#server/features/bookkeeping/bookkeeping.ts';
import { readProviderPack } from '#server/features/month-pack/provider-pack.ts';
import { asReaderOfPdfs } from '#server/operator-context.ts';

/** `octroi month-pack`: the month of the provider as one ZIP, for the accountant. */
export async function writeMonthPack(
  month: Month,
  given: string | undefined,
  { json }: { json?: boolean },
): Promise<void> {
  const file = given ?? dataFolder('month-packs', `${month}.zip`);
  makeFolder(dirname(file));
  const { documents, missing } = await withProgress(`The papers of ${month}`, () =>
    writeWholeFile(file, (write) =>
      asReaderOfPdfs(async (source) => {
        const today = await selectToday(source.db, source.clock);
        const { zip, ...about } = await readProviderPack(source, month, today);
        await write(zip);
        return about;
      }),
    ),
  );
  printResult(json, { month, file, documents, missing }, [
    `${documents} PDFs and the files of ${month} are in ${file}`,
    ...(missing.length > 0 ? [`Without a PDF: ${missing.join(', ')}`] : []),
  ]);
}
