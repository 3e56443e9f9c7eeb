import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { type ConfigSource, readConfig } from '#shared/platform/read-config.ts';
import { isAddress } from '#shared/platform/s3-bucket.ts';
import { secret, text } from '#shared/platform/settings.ts';

/** PDFs lie in the rows of the database. */
export const inDatabase = 'database';

const isPlace = (value: string): boolean =>
  value === inDatabase || isAbsolute(value) || (isAddress(value) && URL.canParse(value));

/** Where the PDFs of documents lie; named like those of the backups. */
export const documentPlaceSettings = {
  documentsPlace: z
    .string()
    .refine(isPlace, 'must be database, an absolute path, or an address such as https://host/bucket/folder')
    .transform((value) => (isAbsolute(value) ? resolve(value) : value.replace(/\/+$/, '')))
    .default(inDatabase)
    .describe(
      'Where the PDFs of documents lie: database, a folder that all portals share (an absolute path), or an S3-compatible store: https://host/bucket/folder. After a change: octroi documents move',
    ),
  documentsS3KeyId: text('Key id of the store in DOCUMENTS_PLACE').optional(),
  documentsS3Secret: secret('Secret of that key').optional(),
  documentsS3Region: text('Region of that store').default('us-east-1'),
};

const fields = z.object(documentPlaceSettings);
export type DocumentPlaceSettings = z.output<typeof fields>;

/** For a command; throws ConfigFaults. */
export function readDocumentPlaceSettings(source: ConfigSource): DocumentPlaceSettings {
  return readConfig(fields, source, documentPlaceFaults);
}

/** One sentence for each setting that is missing beside the place. */
export function documentPlaceFaults(config: Partial<DocumentPlaceSettings>): string[] {
  const { documentsPlace = inDatabase, documentsS3KeyId: keyId, documentsS3Secret: key } = config;
  if (!isAddress(documentsPlace) || (keyId && key)) return [];
  return ['DOCUMENTS_PLACE is an address and needs DOCUMENTS_S3_KEY_ID and DOCUMENTS_S3_SECRET too.'];
}
