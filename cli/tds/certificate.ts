import { Readable } from 'node:stream';
import { printResult } from '#cli/command-result.ts';
import { ask } from '#cli/operator.ts';
import { writeWholeFile } from '#cli/whole-file.ts';
import { readCertificate } from '#shared/contract/operator/tds.ts';

export async function saveCertificate(
  claimId: string,
  file: string | undefined,
  { json }: { json?: boolean },
): Promise<void> {
  const { name, certificate } = await ask(readCertificate, { claimId });
  const bytes = Buffer.from(certificate, 'base64');
  const target = file ?? name;
  await writeWholeFile(target, (write) => write(Readable.from([bytes])));
  printResult(json, { file: target, bytes: bytes.length }, [`Written to ${target}`]);
}
