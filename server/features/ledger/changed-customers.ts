import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '#shared/database/connect.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { invariants } from './invariants.ts';
import { changedPapers, numberingRule } from './paper-invariants.ts';
import { sealInvariants } from './seal-invariants.ts';
import { faultsOfRegistrations } from './registrations.ts';
import { faultsOfSplits } from './splits.ts';

/** Each name shadows its table with the rows of some customers, so that the rules, written for all rows, read only these. */
const ofCustomers = [
  ...[
    'members',
    'member_invitations',
    'member_actions',
    'member_passkeys',
    'activations',
    'cycles',
    'payment_orders',
    'order_cycles',
    'cycle_payments',
    'payments',
    'mandates',
    'mandate_debits',
    'credit_terms',
    'credit_bills',
    'recharges',
    'virtual_accounts',
    'transfer_orders',
    'bank_transfers',
    'refunds',
    'ledger_entries',
    'documents',
    'amendments',
    'current_papers',
    'quota_counters',
    'record_seals',
    'disputes',
    'tds_claims',
    'quota_raises',
    'tax_claims',
    'sez_checks',
    'api_keys',
    'profiles',
    'accountants',
    'mails',
  ].map(
    (table) =>
      `${table} as not materialized (select * from public.${table} where customer_id in (select id from checked))`,
  ),
  `ledger_lines as not materialized (select l.* from public.ledger_lines l join ledger_entries e on e.id = l.entry_id)`,
  `settlement_items as not materialized (select i.* from public.settlement_items i join payments p on p.provider_payment_id = i.payment_id)`,
  `customers as not materialized (select * from public.customers where id in (select id from checked))`,
  `mail_documents as not materialized (select a.* from public.mail_documents a join mails m on m.id = a.mail_id)`,
  `e_invoice_waits as not materialized (select w.* from public.e_invoice_waits w join documents d on d.id = w.document_id)`,
  `e_invoices as not materialized (select e.* from public.e_invoices e join documents d on d.id = e.document_id)`,
  `amendment_files as not materialized (select f.* from public.amendment_files f join documents d on d.id = f.document_id)`,
  `document_files as not materialized (select f.* from public.document_files f join documents d on d.id = f.document_id)`,
].join(', ');

/** What the full check proves about the chain and the series, for single rows and their neighbours. */
const neighbourRules: Readonly<Record<string, string>> = {
  'the chain': `
    select 'entry ' || e.id || ' has been changed' as fault
    from ledger_entries e left join public.ledger_entries b on b.position = e.position - 1
    where e.hash is distinct from sha256(case e.position when 1 then decode(repeat('00', 32), 'hex') else b.hash end
      || convert_to(concat_ws('|', e.position, e.id, e.kind, coalesce(e.payment_id, '-'), coalesce(e.refund_id, '-'),
        coalesce(e.cycle_id, '-'), coalesce(e.customer_id, '-'), e.currency, round(extract(epoch from e.posted_at) * 1000)::bigint,
        (select string_agg(l.account || '=' || l.amount_paise, '|' order by l.account) from public.ledger_lines l where l.entry_id = e.id)), 'UTF8'))`,
  'every entry sums to zero': `
    select 'entry ' || e.id || ' sums to ' || coalesce(sum(l.amount_paise), 0) as fault
    from ledger_entries e left join public.ledger_lines l on l.entry_id = e.id
    group by e.id having count(l.entry_id) < 2 or sum(l.amount_paise) <> 0`,
  [numberingRule]: `
    select 'document ' || d.number || ' has no number before it, or is older' as fault
    from documents d left join public.documents b
      on b.series = d.series and b.financial_year = d.financial_year and b.sequence = d.sequence - 1
    where d.sequence > 1 and (b.id is null or b.issued_at > d.issued_at)
    union all
    select 'series ' || s.series || ' of ' || s.financial_year || ' has the last number ' || s.last_number || ' but ends with another one'
    from document_series s where s.last_number is distinct from (select max(d.sequence) from public.documents d
      where d.series = s.series and d.financial_year = s.financial_year)`,
};

const faultSchema = z.object({ fault: z.string() });
const rules = { ...invariants, ...sealInvariants, 'a PDF never changes': changedPapers(), ...neighbourRules };

/** The faults of some customers by every rule of the full check; reads only these customers' rows and their neighbours. */
export async function faultsOfCustomers(tx: Tx, customerIds: string[], maxFaults: number): Promise<string[]> {
  const faults: string[] = [];
  for (const [rule, query] of Object.entries(rules)) {
    const found = await sql`
      with checked as materialized (select unnest(${customerIds}::text[]) as id), ${sql.raw(ofCustomers)}
      select fault from (${sql.raw(query)}) f limit ${maxFaults}`.execute(tx);
    faults.push(...checkedRows(faultSchema, found).map(({ fault }) => `${rule}: ${fault}`));
  }
  faults.push(...(await faultsOfSplits(tx, maxFaults, customerIds)));
  faults.push(...(await faultsOfRegistrations(tx, maxFaults, customerIds)));
  return faults.slice(0, maxFaults);
}
