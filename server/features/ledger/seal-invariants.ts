interface SealedTable {
  table: string;
  id: string;
  noun: string;
}

/** The sealed tables about customers (migrations 028 and 068), each with its id column and the name of a record in fault texts. */
const sealedOfCustomers: readonly SealedTable[] = [
  { table: 'documents', id: 'id', noun: 'document' },
  { table: 'document_files', id: 'document_id', noun: 'the PDF of document' },
  { table: 'amendments', id: 'document_id', noun: 'the amendment of document' },
  { table: 'amendment_files', id: 'document_id', noun: 'the amended PDF of document' },
  { table: 'e_invoices', id: 'document_id', noun: 'the registration of document' },
  { table: 'cycles', id: 'id', noun: 'cycle' },
  { table: 'payments', id: 'provider_payment_id', noun: 'payment' },
  { table: 'tds_claims', id: 'id', noun: 'TDS claim' },
  { table: 'quota_raises', id: 'id', noun: 'quota raise' },
  { table: 'refunds', id: 'id', noun: 'refund' },
  { table: 'disputes', id: 'provider_dispute_id', noun: 'dispute' },
  { table: 'tax_claims', id: 'id', noun: 'declaration' },
  { table: 'sez_checks', id: 'id', noun: 'SEZ check' },
];

/** Those of the provider’s own, which the check of each minute does not read. */
const sealedOfProvider: readonly SealedTable[] = [
  { table: 'letters_of_undertaking', id: 'arn', noun: 'letter of undertaking' },
  { table: 'remittance_proofs', id: 'payment_id', noun: 'the remittance proof of payment' },
  { table: 'settlements', id: 'settlement_id', noun: 'settlement' },
  { table: 'period_locks', id: 'id', noun: 'record of a lock' },
  { table: 'operator_actions', id: 'position', noun: 'action of an operator' },
];

/**
 * Each record matches its last seal: it was not changed, deleted, or inserted without triggers. Unqualified table names may be limited to
 * some customers; rows are read from `public`, because the functions that hash them take rows of the real tables.
 */
const sealRule = ({ table, id, noun }: SealedTable): string => `
    select '${noun} ' || coalesce(s.record_id, r.id::text) || case when r.id is null then ' is missing' when s.record_id is null
      then ' was added without a seal' else ' has been changed' end as fault
    from (select distinct on (record_id) record_id, content from record_seals where kind = '${table}' order by record_id, id desc) s
      full join (select t.${id} as id, seal_of_${table}(t) as content from public.${table} t where t.${id} in (select ${id} from ${table})) r
        on r.id::text = s.record_id
    where s.content is distinct from r.content`;

const ruleOf = (tables: readonly SealedTable[]): Readonly<Record<string, string>> => ({
  'every record matches its seal': tables.map(sealRule).join('\n    union all'),
});

export const sealInvariants = ruleOf(sealedOfCustomers);
export const providerSealInvariants = ruleOf(sealedOfProvider);

/** The chain of seals: each covers the one before it, up to the head. */
export const sealChain = `
    select 'seal ' || s.position || ' has been changed' as fault from (
      select r as seal, r.position, r.hash, lag(r.hash, 1, decode(repeat('00', 32), 'hex')) over (order by r.position) as before,
        row_number() over (order by r.position) as place
      from record_seals r where r.position is not null) s
    where s.position <> s.place or s.hash <> hash_of_seal(s.before, s.seal)
    union all
    select 'the chain of seals ends at ' || coalesce(max(r.position), 0) || ', its head is at ' || h.position
    from seal_head h left join record_seals r on r.position is not null
    group by h.position, h.hash
    having coalesce(max(r.position), 0) <> h.position
      or (h.position > 0 and not exists (select from record_seals l where l.position = h.position and l.hash = h.hash))`;

/** The chain of operators' actions: each covers the one before it, up to the head. */
export const operatorChain = `
    select 'action ' || s.position || ' of an operator has been changed' as fault from (
      select a as entry, a.position, a.hash, lag(a.hash, 1, decode(repeat('00', 32), 'hex')) over (order by a.position) as before,
        row_number() over (order by a.position) as place
      from operator_actions a) s
    where s.position <> s.place or s.hash <> hash_of_operator_action(s.before, s.entry)
    union all
    select 'the audit log ends at ' || coalesce(max(a.position), 0) || ', its head is at ' || h.position
    from operator_head h left join operator_actions a on true
    group by h.position, h.hash
    having coalesce(max(a.position), 0) <> h.position
      or (h.position > 0 and not exists (select from operator_actions l where l.position = h.position and l.hash = h.hash))`;
