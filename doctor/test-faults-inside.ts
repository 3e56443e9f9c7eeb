import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { createTestDatabase } from '#shared/database/test-database.ts';
import { joinPortals } from '#server/portal-presence.ts';
import { createDevelopmentCertificate } from '#server/signature/development-certificate.ts';
import {
  anotherGateway,
  backupFolder,
  inDatabase,
  inProduction,
  nameOfDatabase,
  plantedFile,
  type PlantedRow,
  serveUntrusted,
} from './test-planting.ts';

/** Faults of settings, database, work and backups. */
export const insideRows: readonly PlantedRow[] = [
  [
    'the secret of the client of Google stands where its id belongs',
    () => ({ GOOGLE_CLIENT_ID: 'GOCSPX-kLm0nOpQ9rStUvWz' }),
    'google',
    'GOOGLE_CLIENT_ID is no OAuth client id',
    'Copy the client id',
  ],
  [
    'everybody can read the metrics',
    () => ({ METRICS_HOST: '0.0.0.0', PORTAL_METRICS_PORT: '9464' }),
    'metrics',
    'METRICS_HOST is 0.0.0.0',
    '127.0.0.1',
  ],
  [
    'backups are on the disk of the data',
    async (healthy) =>
      inProduction({ BACKUP_DIR: await backupFolder(healthy), DATA_DIR: healthy.env['DATA_DIR'] ?? '' }),
    'backups',
    'on the same disk as',
    'another disk',
  ],
  [
    'backups are three days old',
    async (healthy) => ({ BACKUP_DIR: await backupFolder(healthy) }),
    'backups',
    'hours old',
    'octroi backup',
  ],
  [
    'the only backup is of another installation',
    async (healthy) => ({ BACKUP_DIR: await backupFolder(healthy, '00000000') }),
    'backups',
    'no backup of this installation',
    'every night',
  ],
  [
    'two installations share a folder of backups',
    async (healthy) => {
      const folder = await backupFolder(healthy);
      writeFileSync(join(folder, 'octroi-2026-01-02T020000IST-00000000.tar.gz.age'), 'x');
      return { BACKUP_DIR: folder };
    },
    'backups',
    'of another installation, such as octroi-2026-01-02',
    'a folder of its own',
  ],
  [
    'the key for backups lost a letter',
    async (healthy) => ({ BACKUP_DIR: await backupFolder(healthy), BACKUP_RECIPIENT: 'age1qqqqqq' }),
    'backups',
    'is no public key of age',
    'Copy it again',
  ],
  [
    'a plan’s daily quota is above its monthly one',
    async () => {
      const fresh = await createTestDatabase();
      onTestFinished(fresh.close);
      const CATALOG_DIR = changedCatalog({ 'tax-lookup-api': { 'plans.0.dailyQuota': '90000000' } });
      return { DATABASE_URL: fresh.databaseUrl, CATALOG_DIR };
    },
    'catalogue',
    'daily quota of 90000000 above its monthly quota',
    'monthlyQuota',
  ],
  [
    'the database can only be read',
    async (healthy) => {
      await inDatabase(
        healthy,
        sql`alter database ${nameOfDatabase(healthy)} set default_transaction_read_only = on`,
        sql`alter database ${nameOfDatabase(healthy)} reset default_transaction_read_only`,
      );
      return {};
    },
    'database-standby',
    'default_transaction_read_only',
    'reset',
  ],
  [
    'every caller may pretend an address',
    () => ({ TRUSTED_PROXIES: '::/0' }),
    'proxies',
    'trusts everyone',
    'your own proxies',
  ],
  [
    'the certificate is one that browsers refuse',
    async () => ({ PORTAL_URL: await serveUntrusted() }),
    'tls',
    'is not trusted',
    'fullchain.pem',
  ],
  ['the mail server is away', () => ({ SMTP_URL: 'smtp://127.0.0.1:10' }), 'mail', 'refuses us', 'SMTP_URL'],
  [
    'mails wait',
    async (healthy) => {
      await inDatabase(
        healthy,
        sql`insert into mails (id, dedupe_key, recipient, subject, body_text, body_html, created_at)
          values ('MSG-9', 'provider-pack:planted', 'a@b.in', 'Receipt', '', '', now() - interval '5 hours')`,
        sql`delete from mails where id = 'MSG-9'`,
      );
      return {};
    },
    'unsent-mails',
    '1 mails wait',
    'octroi waiting',
  ],
  [
    'a webhook of Razorpay can’t be handled',
    async (healthy) => {
      await inDatabase(
        healthy,
        sql`insert into webhook_inbox (dedup_key, event, body, received_at, tries)
          values (sha256('planted'), 'payment.captured', '{}', now(), 9)`,
        sql`delete from webhook_inbox where dedup_key = sha256('planted')`,
      );
      return {};
    },
    'deliveries',
    '1 deliveries',
    'webhook_inbox',
  ],
  [
    'a job was given up',
    async (healthy) => {
      await inDatabase(
        healthy,
        sql`insert into pgboss.job (name, state, retry_limit, completed_on) values ('send-mail', 'failed', 3, now())`,
        sql`delete from pgboss.job where name = 'send-mail' and state = 'failed'`,
      );
      return {};
    },
    'jobs',
    'send-mail were given up',
    'a job failed',
  ],
  [
    'other users can read the settings',
    (healthy) => ({ envFile: plantedFile(healthy, 'SMTP_URL=smtp://x:y@z', 0o644) }),
    'file-modes',
    'has the mode 0644',
    'chmod 600',
  ],
  [
    'a setting is misspelt',
    (healthy) => ({ envFile: plantedFile(healthy, 'TRUSTED_PROXY=10.0.0.1\n') }),
    'unknown-settings',
    'TRUSTED_PROXY',
    '.env.example',
  ],
  [
    'the journal can’t be written',
    (healthy) => {
      const file = join(healthy.folder, 'a-file');
      writeFileSync(file, '');
      return { JOURNAL_DIR: join(file, 'journal') };
    },
    'journal',
    'cannot be written',
    'JOURNAL_DIR',
  ],
  [
    'the certificate for signing is missing',
    (healthy) => ({ SIGNING_CERTIFICATE: join(healthy.folder, 'gone.p12') }),
    'signing-certificate',
    'cannot be read',
    '.p12',
  ],
  [
    'a portal on another machine has other settings of documents',
    async ({ env, portal: { portal } }) => {
      const changed = { ...env, INVOICE_PREFIX: 'ACM', SUPPLIER_ADDRESS: '1 Elsewhere, Pune' };
      const forgotten = await joinPortals(portal.db, changed, portal.log);
      onTestFinished(forgotten.stop);
      return {};
    },
    'portals',
    'run with different settings: SUPPLIER_ADDRESS, INVOICE_PREFIX',
    'the same octroi.env',
  ],
  [
    'a setting of documents was changed, and the portal runs on',
    () => ({ INVOICE_PREFIX: 'NEW' }),
    'portals',
    'other settings than those given here: INVOICE_PREFIX',
    'Restart the portals',
  ],
  [
    'PORTAL_URL has another host than the passkeys',
    async (healthy) => {
      await inDatabase(
        healthy,
        sql`with owner as (insert into operators (id, email, name, role, added_at)
            values ('OPR-X', 'asha@kaveri.example', 'Asha', 'owner', now()) returning id)
          insert into operator_passkeys select 'PSK-X', id, 'credential', 'key', 0, 'Laptop', now(), null, 'old.kaveri.example' from owner`,
        sql`with gone as (delete from operator_passkeys where id = 'PSK-X') delete from operators where id = 'OPR-X'`,
      );
      return {};
    },
    'passkeys',
    'passkeys of asha@kaveri.example are of old.kaveri.example',
    'octroi operators remove-passkeys',
  ],
  [
    'PORTAL_URL has another host than the passkeys of members',
    async (healthy) => {
      await inDatabase(
        healthy,
        sql`insert into member_passkeys select 'PSK-' || n, 'CUS-X', 'MEM-X', 'credential ' || n, 'key', 0, 'Laptop', now(), null, 'old.kaveri.example'
          from generate_series(1, 2) n`,
        sql`delete from member_passkeys where member_id = 'MEM-X'`,
      );
      return {};
    },
    'passkeys',
    '1 member has passkeys of old.kaveri.example',
    'PORTAL_URL back',
  ],
  [
    'two gateways write to one access log',
    async (healthy) => {
      const log = join(healthy.folder, 'access.log');
      await anotherGateway(healthy, { ACCESS_LOG: log });
      await anotherGateway(healthy, { ACCESS_LOG: log });
      return { ACCESS_LOG: log };
    },
    'gateways-here',
    'write to one ACCESS_LOG',
    'an ACCESS_LOG of its own',
  ],
  [
    'the journal of a second gateway is in no backup',
    async (healthy) => {
      await anotherGateway(healthy, {});
      return { BACKUP_DIR: await backupFolder(healthy) };
    },
    'gateways-here',
    'is in no backup',
    'BACKUP_JOURNALS',
  ],
  [
    'a log is to be archived of a PostgreSQL that knows nothing of it',
    ({ folder }) => ({ WAL_ARCHIVE_DIR: join(folder, 'wal') }),
    'wal-archive',
    'leads to a PostgreSQL of your own',
    'archive_command',
  ],
  [
    'the certificate is of another company',
    async ({ folder }) => {
      const file = join(folder, 'other.p12');
      writeFileSync(file, await createDevelopmentCertificate('s', { organisation: 'Other Traders Pvt. Ltd.' }));
      return { SIGNING_CERTIFICATE: file, SIGNING_PASSPHRASE: 's', SUPPLIER_NAME: 'Kaveri APIs Private Limited' };
    },
    'signing-certificate',
    'is of Other Traders Pvt. Ltd.',
    'certificate of that company',
  ],
  [
    'everybody may write to the folder of the data',
    ({ folder }) => {
      const open = mkdtempSync(join(folder, 'open-'));
      chmodSync(open, 0o777);
      return { DATA_DIR: open };
    },
    'file-modes',
    'has the mode 0777',
    'chmod 700',
  ],
  ['nobody makes backups', () => inProduction({}), 'backups', 'BACKUP_DIR is not set', 'octroi-backup.timer'],
];
