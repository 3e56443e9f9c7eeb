import { ask } from '#cli/operator.ts';
import { saveFile } from '#cli/whole-file.ts';
import { readCertificate } from '#shared/contract/operator/tds.ts';

export async function saveCertificate(
  claimId: string,
  file: string | undefined,
  { json }: { json?: boolean },
): Promise<void> {
  const { name, certificate } = await ask(readCertificate, { claimId });
  await saveFile(file ?? name, certificate, json);
}
