import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#database/test-database.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { describeSchema } from './schema-text.ts';
import { readSchema, tableFaults } from './tables-rules.ts';

let database: TestDatabase;
let sql = '';
beforeAll(async () => {
  database = await createTestDatabase();
  sql = await describeSchema(database.owner.databaseUrl);
});
afterAll(() => database.close());
const real = projectFolder('database', 'tables.ts');

test('reads columns with their types, nulls, defaults and values, of tables and views', () => {
  const { schema, enums } = readSchema(sql);
  const column = { type: 'text', isNullable: false, hasDefault: false, values: undefined };
  expect(schema.get('customers')?.get('id')).toEqual(column);
  expect(schema.get('refunds')?.get('settled_at')).toMatchObject({
    type: 'timestamp with time zone',
    isNullable: true,
  });
  expect(schema.get('api_keys')?.get('allowed_ips')).toMatchObject({ type: 'inet[]', hasDefault: true });
  expect(schema.get('payments')?.get('use')?.values).toEqual(['CYCLE', 'REFUND']);
  expect(schema.get('journals')?.has('position')).toBe(true);
  expect([...(schema.get('current_papers')?.keys() ?? [])]).toContain('document_id');
  expect(enums.get('document_kind')).toContain('CREDIT_NOTE');
});

test('the types of the tables are what the database holds', async () => {
  expect(await tableFaults(sql, real)).toEqual([]);
});

test('reports errors of every kind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'planted-tables-'));
  const file = join(folder, 'tables.ts');
  writeFileSync(
    file,
    `import type { Tables as Real } from '${real}';
    import type { Generated } from 'kysely';
    type Change<Name extends keyof Real, Columns> = { [K in Name]: Omit<Real[Name], keyof Columns> & Columns };
    export type Tables = Omit<Real, 'journals' | 'clock' | 'customers' | 'profiles' | 'payments' | 'mails' | 'refunds' | 'webhooks' | 'sessions'>
      & { things: { id: string } }
      & Change<'clock', { offset_ms: string }>
      & Change<'customers', { nickname: string }>
      & { profiles: Omit<Real['profiles'], 'phone'> }
      & Change<'payments', { status: 'created' | 'authorized' | 'captured' }>
      & Change<'mails', { sent_at: Date }>
      & Change<'refunds', { amount_paise: number | null }>
      & Change<'webhooks', { events: number[] }>
      & Change<'sessions', { last_used_at: Generated<Date> }>;`,
  );
  const faults = await tableFaults(sql, file);
  rmSync(folder, { recursive: true });
  expect(faults).toEqual([
    'it has a table that the database does not have',
    'clock.offset_ms is not what the database says: bigint not null',
    'customers has a column that the database does not have',
    'it does not have the table journals',
    'journals has a column that the database does not have',
    'journals.id is not what the database says: text not null',
    'journals.position is not what the database says: bigint not null',
    'mails.sent_at is not what the database says: timestamp with time zone',
    'payments.status is not what the database says: created | authorized | captured | failed not null',
    'profiles.phone is not what the database says: text not null',
    'refunds.amount_paise is not what the database says: bigint not null',
    'sessions.last_used_at is not what the database says: timestamp with time zone not null',
    'webhooks.events is not what the database says: text[] not null',
  ]);
});

test('reports a schema that cannot be parsed', async () => {
  expect(await tableFaults('', real)).toHaveLength(1);
  expect(() => readSchema('create table a (\n  ?\n);')).toThrow('a line that is not a column');
});
