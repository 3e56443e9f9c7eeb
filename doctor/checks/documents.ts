import { type Check, fault, fine, type Finding, unchecked, warning } from '#doctor/finding.ts';
import type { Installation } from '#doctor/installation.ts';
import { createLog } from '#shared/platform/log.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { type DocumentFiles, openDocumentFiles, storedPdfColumns } from '#server/document-files/document-files.ts';
import { countElsewhere } from '#server/document-files/move.ts';
import { inDatabase } from '#server/document-files/settings.ts';

/** PDFs that are read; the ledger's check reads all. */
const sampled = 20;

export const documentsPlace: Check = {
  name: 'documents-place',
  about: 'can PDFs of documents be written to DOCUMENTS_PLACE, and those outside the database be read?',
  examine: async ({ portal, db }) => {
    const { documentsPlace: place, documentsS3KeyId, documentsS3Secret, documentsS3Region = '' } = portal;
    if (place === undefined) return [unchecked('DOCUMENTS_PLACE is not valid.')];
    const settings = { documentsPlace: place, documentsS3KeyId, documentsS3Secret, documentsS3Region };
    const files = openDocumentFiles(settings, createLog('doctor', { level: 'silent' }));
    const findings: Finding[] = [];
    if (place !== inDatabase) findings.push(...(await probe(files)));
    if (db === undefined) return [...findings, unchecked('The database cannot be read.')];
    findings.push(...(await readSample(files, db)), ...(await findElsewhere(place, db)));
    if (findings.length > 0) return findings;
    return [fine(place === inDatabase ? 'PDFs of documents are in the database.' : `PDFs lie in ${place}.`)];
  },
};

async function probe(files: DocumentFiles): Promise<Finding[]> {
  try {
    await files.open(files.place).probe();
    return [];
  } catch (error) {
    return [
      fault(
        `PDFs cannot be written to ${files.place}: ${reasonOf(error)}.`,
        'New ones are stored in the database meanwhile, and those in that place may be unreadable.',
        'Create or mount the folder, writable for the user of the portal, or correct DOCUMENTS_PLACE and the key of the store (DOCUMENTS_S3_…), which must list, read and write; then: octroi documents move',
      ),
    ];
  }
}

/** The newest: a folder that this machine doesn't share with the others lacks those of the other portals. */
async function readSample(files: DocumentFiles, db: NonNullable<Installation['db']>): Promise<Finding[]> {
  const rows = await db
    .selectFrom('document_files')
    .innerJoin('documents', 'documents.id', 'document_files.document_id')
    .select(storedPdfColumns)
    .select('number')
    .where('place', 'is not', null)
    .orderBy('made_at', 'desc')
    .limit(sampled)
    .execute();
  const bad: { number: string; reason: string }[] = [];
  for (const row of rows)
    await files.read(row).catch((error: unknown) => bad.push({ number: row.number, reason: reasonOf(error) }));
  const [first] = bad;
  if (first === undefined) return [];
  return [
    fault(
      `${bad.length} of the newest ${rows.length} PDFs outside the database cannot be read, such as that of ${first.number}: ${first.reason}.`,
      'Customers get an error instead of these documents, and mails with them wait.',
      'With portals on several machines, mount one shared folder on all; else put the files back from a backup. octroi verify-ledger names every one.',
    ),
  ];
}

async function findElsewhere(place: string, db: NonNullable<Installation['db']>): Promise<Finding[]> {
  const elsewhere = await countElsewhere(db, place);
  return elsewhere.map((from) =>
    warning(
      `${from.documents} PDFs are in ${from.place}, and DOCUMENTS_PLACE is ${place}.`,
      'They are still read from there, so that place must stay.',
      'Move them: octroi documents move',
    ),
  );
}
