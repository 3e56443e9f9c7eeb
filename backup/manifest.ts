import { z } from 'zod';

const migration = z.object({ name: z.string(), checksum: z.string() });

/** The last entry of a backup: what is in it, and what the installation was when it was made. */
export const manifestSchema = z.object({
  format: z.literal(1),
  /** When the database was read, by its own clock; ISO 8601. */
  takenAt: z.iso.datetime(),
  octroi: z.string(),
  postgres: z.string(),
  migrations: z.array(migration),
  productMigrations: z.array(migration),
  /** By `schema.table`. */
  tables: z.record(z.string(), z.object({ columns: z.array(z.string()), rows: z.number() })),
  /** Of a base backup only: PostgreSQL's number of its data, which is the folder of its log, and the folders in it, also empty ones. */
  cluster: z.object({ id: z.string(), directories: z.array(z.string()) }).optional(),
  /** Of every file in the backup, by its name. */
  files: z.record(z.string(), z.object({ sha256: z.string(), bytes: z.number() })),
  ledger: z.object({ position: z.number(), hash: z.string() }),
  /** The last seal (decision 028); not in backups of earlier versions. */
  seals: z.object({ position: z.number(), hash: z.string() }).optional(),
  /** Gateways that the database knows; only those whose folder was given have their journal in the backup. */
  journals: z.object({ known: z.array(z.string()), included: z.array(z.string()) }),
  /** PDFs outside the database: how many are in the backup, of which documents they could not be read, and how many lie elsewhere, by place. */
  documents: z
    .object({ included: z.number(), unreadable: z.array(z.string()), elsewhere: z.record(z.string(), z.number()) })
    .optional(),
  /** Settings that were set; secrets without their value, because they have to be kept elsewhere. */
  settings: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
});

export type Manifest = z.output<typeof manifestSchema>;

export const manifestName = 'manifest.json';

/** The file cannot be used as a backup, or the place to restore to is not fit; the message says why. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault';
}
