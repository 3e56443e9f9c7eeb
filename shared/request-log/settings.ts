import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { isAddress } from '#shared/platform/s3-bucket.ts';
import { secret, text } from '#shared/platform/settings.ts';

/** The setting of gateways and portals, which must have the same. */
export const requestLogUrl = () =>
  secret(
    'Where calls are logged, if not in the database: a PostgreSQL of its own, postgres://…, or clickhouse://user:password@host:8123/database[?secure=true&cluster=name]',
  )
    .refine(isLogUrl, 'must begin with postgres:// or clickhouse://')
    .optional();

const isLogUrl = (url: string): boolean => /^(?:postgres(?:ql)?|clickhouse):\/\/./.test(url) && URL.canParse(url);

/** Where days of the log go that no page shows any more; settings of portals and of the command. */
export const coldSettings = {
  requestLogColdPlace: z
    .string()
    .refine(
      (value) => isAbsolute(value) || (isAddress(value) && URL.canParse(value)),
      'must be an absolute path, or an address such as https://host/bucket/folder',
    )
    .transform((value) => (isAbsolute(value) ? resolve(value) : value.replace(/\/+$/, '')))
    .optional()
    .describe(
      'Where calls of more than 30 days ago lie, if not with the others: a folder that all portals share (an absolute path), or an S3-compatible store: https://host/bucket/folder',
    ),
  requestLogColdS3KeyId: text('Key id of the store in REQUEST_LOG_COLD_PLACE').optional(),
  requestLogColdS3Secret: secret('Secret of that key').optional(),
  requestLogColdS3Region: text('Region of that store').default('us-east-1'),
};

const fields = z.object({ ...coldSettings, requestLogUrl: requestLogUrl() });
export type ColdSettings = Omit<z.output<typeof fields>, 'requestLogUrl'>;
/** Where the log is. */
export type LogSettings = z.output<typeof fields>;

/** One sentence for each thing that is wrong with the place of old days. */
export function coldFaults(config: Partial<LogSettings>): string[] {
  const { requestLogColdPlace: place, requestLogColdS3KeyId: keyId, requestLogColdS3Secret: key } = config;
  if (place === undefined) return [];
  const faults: string[] = [];
  if (config.requestLogUrl?.startsWith('clickhouse:'))
    faults.push(
      'REQUEST_LOG_COLD_PLACE is for a log in PostgreSQL: ClickHouse moves old days itself, by its storage policies.',
    );
  if (isAddress(place) && !(keyId && key))
    faults.push(
      'REQUEST_LOG_COLD_PLACE is an address and needs REQUEST_LOG_COLD_S3_KEY_ID and REQUEST_LOG_COLD_S3_SECRET too.',
    );
  return faults;
}
