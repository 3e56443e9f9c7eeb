import { dirname } from 'node:path';
import { printResult } from '#cli/command-result.ts';
import { dataFolder } from '#cli/data-folder.ts';
import { exportFrom } from '#cli/operator.ts';
import { withProgress } from '#cli/progress.ts';
import { writeWholeFile } from '#cli/whole-file.ts';
import { exportMonthPack } from '#shared/contract/operator/month-end.ts';
import type { Month } from '#shared/domain/month.ts';
import { makeFolder } from '#shared/platform/make-folder.ts';
import { zipOf } from '#server/features/month-pack/month-pack.ts';
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
        const { reply, stored, texts, at } = await exportFrom(source, exportMonthPack, { month });
        await write(zipOf([...(stored?.(source.documentFiles) ?? []), ...texts], at));
        return reply;
      }),
    ),
  );
  printResult(json, { month, file, documents, missing }, [
    `${documents} PDFs and the files of ${month} are in ${file}`,
    ...(missing.length > 0 ? [`Without a PDF: ${missing.join(', ')}`] : []),
  ]);
}
