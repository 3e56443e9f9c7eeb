import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { readCatalog } from '#catalog/catalog-files.ts';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { type Profile, updateProfile } from '#shared/contract/account.ts';
import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { seriesOfKind } from '#shared/domain/document-series.ts';
import { financialYearOf } from '#shared/domain/financial-year.ts';
import { addDays } from '#shared/domain/day.ts';
import { type DebitRefusal, debitRefusals } from '#shared/domain/mandate.ts';
import { maxUnpaid } from '#shared/domain/payment.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { startPortalWithGstn } from '#server/features/documents/test-e-invoices.ts';
import { readAsOperator } from '#server/operator-calls.ts';
import { sha256 } from '#server/crypto/ids.ts';
import { sampleProfile } from '#server/test/portal.ts';
import { runRounds } from '#server/start-rounds.ts';
import { useRenewals } from './test-renewals.ts';

const { the, renewal, cycles, debits, mandate, mails, untilDebits, move, goBefore, today, running, add } = useRenewals(
  async () => {
    const gstn = await startPortalWithGstn({ jobs: true });
    return { ...gstn.portal, close: gstn.close };
  },
);

async function become(profile: Partial<Profile>): Promise<void> {
  const { portal, token } = the();
  await portal.ask(updateProfile, { body: { ...sampleProfile, ...profile } }, token);
}

/** Without what keeps the tables from such rows. */
async function plant(rows: (tx: Tx) => Promise<unknown>): Promise<void> {
  await transaction(the().portal.owner.db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await rows(tx);
  });
}

/** Puts another price on sale until the test ends. */
function sell(price: string): void {
  const { portal } = the().portal;
  const { catalog } = portal;
  Object.assign(portal, {
    catalog: readCatalog(changedCatalog({ 'tax-lookup-api': { 'plans.growth.price': price } })),
  });
  onTestFinished(() => void Object.assign(portal, { catalog }));
}

/** What comes after the announcement so that the debit is refused, and the customer's own part of it. */
const arrange: Record<DebitRefusal, () => Promise<void>> = {
  changed: async () => {
    const { portal } = the();
    await portal.behave({ mandates: { nextDebits: ['insufficient_funds'], retries: 0 } });
    await goBefore(4);
    await untilDebits('SENT');
    await move(1.1);
    await untilDebits('FAILED');
    sell('1599');
    await runRounds(portal.portal);
  },
  gstin_not_active: () => become({ ...placeIn('07'), gstin: '07ZZZCA0001A1Z6' }),
  gstin_unknown: () => become({ ...placeIn('36'), gstin: '36ZZZCA0001A1Z5' }),
  sez_not_confirmed: async () => {
    const { portal, customerId } = the();
    const gstin = '29ZZZCA0001A1Z0';
    await become({ ...placeIn('29'), gstin, sez: true });
    const answer = '{}';
    const checked = { customer_id: customerId, gstin, checked_at: new Date(portal.portal.clock()) };
    const found = { outcome: 'OTHER' as const, type_text: 'Regular', answer, answer_sha256: sha256(answer) };
    await plant((tx) =>
      tx
        .insertInto('sez_checks')
        .values({ ...checked, ...found })
        .execute(),
    );
  },
  too_many_unpaid: async () => {
    const end = (await running())?.toDate ?? '';
    for (let index = 0; index < maxUnpaid; index += 1) await add(addDays(end, 100 + index));
  },
  not_possible: async () => {
    const last = seriesOfKind.INVOICE.at(-1);
    const year = financialYearOf(today());
    const before = await the().portal.owner.db.selectFrom('document_series').selectAll().execute();
    onTestFinished(() =>
      plant(async (tx) => {
        await sql`delete from document_series`.execute(tx);
        await tx.insertInto('document_series').values(before).execute();
      }),
    );
    await plant((tx) =>
      sql`insert into document_series select f.name, ${year}, case f.name when ${last?.name} then ${last?.last} else f.last end, now() - interval '1 hour'
          from document_series_forms f where f.kind = 'INVOICE'
          on conflict (series, financial_year) do update set last_number = excluded.last_number`.execute(tx),
    );
  },
  not_in_time: async () => {
    await the().portal.behave({ ordersCreate: 'fail-500' });
  },
};

/** The reason that page and waiting work give. */
async function shown(reason: DebitRefusal, customerId: string): Promise<string | null> {
  const { portal } = the();
  if (reason === 'not_in_time') {
    const soon = { next_try_at: new Date() };
    const unsent = portal.portal.db.updateTable('mandate_debits').set(soon).where('state', '=', 'ASKED');
    await unsent.where('customer_id', '=', customerId).execute();
    await untilDebits('DROPPED');
  }
  const kind = { kind: 'ENDING_PLAN', limit: 1000 } as const;
  const { kinds } = await readAsOperator(portal.portal, 'owner', 'listWaiting', kind);
  const about = kinds[0]?.waiting.find(({ customerId: of }) => of === customerId)?.about;
  return about?.includes(`its renewal is withheld (${reason})`) === true ? (await renewal()).whyNot : null;
}

test.each(debitRefusals)(
  'a renewal that was announced and is then refused (%s) is withheld: mail, page and waiting work say why, and the end is reminded of',
  async (reason) => {
    const { portal, customerId } = the();
    await goBefore(5);
    expect((await mails()).filter((subject) => subject.startsWith('Renews soon'))).toHaveLength(1);
    await arrange[reason]();
    await goBefore(4);
    await goBefore(2);
    await goBefore(1);
    await runRounds(portal.portal);
    const reminders = async () => (await mails()).filter((subject) => subject.startsWith('Your plan ends tonight'));
    expect(await reminders()).toHaveLength(1);
    expect(await shown(reason, customerId)).toBe(reason);
    expect((await mails()).filter((subject) => subject.startsWith('Won’t renew automatically'))).toHaveLength(1);
    expect(await mandate()).toMatchObject({ withheld_reason: reason, announced_for: null });
    await move(2);
    await runRounds(portal.portal);
    expect((await mails()).filter((subject) => subject.startsWith('Won’t renew automatically'))).toHaveLength(1);
    expect(await renewal()).toMatchObject({ next: null });
    const states = (await debits().execute()).map(({ state }) => state);
    expect(states.filter((state) => state === 'PAID' || state === 'SENT')).toEqual([]);
  },
);

test('what the customer added at an earlier price is replaced by what is announced, and the mail says so', async () => {
  const { portal } = the();
  const end = (await running())?.toDate ?? '';
  const old = await add(end);
  sell('1599');
  await goBefore(5);
  const body = () =>
    portal.portal.db
      .selectFrom('mails')
      .select('body_text')
      .where('subject', 'like', 'Renews soon: ₹1,599%')
      .where('customer_id', '=', the().customerId)
      .executeTakeFirstOrThrow();
  expect((await body()).body_text).toContain('₹1,499 is not sold as it was any more');
  await goBefore(4);
  await untilDebits('SENT');
  await move(1.5);
  await untilDebits('PAID');
  const all = await cycles();
  expect(all.filter(({ status }) => status === 'PAID').map(({ price }) => price)).toEqual([1499, 1599]);
  expect(all.find(({ id }) => id === old)?.status ?? 'REMOVED').toBe('REMOVED');
  expect((await mandate()).skipped_for).toBeNull();
});
