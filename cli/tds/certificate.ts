import { Readable } from 'node:stream';
import { certificateFileName, listClaims, noSuchClaim, readCertificate } from '#server/features/tds/tds.ts';
import { asReader } from '#server/operator-context.ts';
import { printResult } from '#cli/command-result.ts';
import { writeWholeFile } from '#cli/whole-file.ts';

export async function saveCertificate(
  claimId: string,
  file: string | undefined,
  { json }: { json?: boolean },
): Promise<void> {
  const { name, bytes } = await asReader(async (db) => {
    const claim = (await listClaims(db)).find(({ id }) => id === claimId);
    if (!claim) throw noSuchClaim(claimId);
    return { name: certificateFileName(claim), bytes: await readCertificate(db, claimId) };
  });
  const target = file ?? name;
  await writeWholeFile(target, (write) => write(Readable.from([bytes])));
  printResult(json, { file: target, bytes: bytes.length }, [`Written to ${target}`]);
}
