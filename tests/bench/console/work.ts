import type { Client } from 'pg';
import { makeApiKey } from '#shared/domain/api-key.ts';
import { sha256 } from '#server/crypto/ids.ts';

/** The operator who measures. */
export const operatorToken = 'bench-operator-'.padEnd(43, 'x');
/** Of the customer who is sought: not among the newest or the oldest. */
export const soughtKey = makeApiKey(Buffer.alloc(60, 5));

/** The sought customer has a request log, and stands in the middle. */
export const soughtCustomer = (customers: number): number => Math.max(50, Math.floor(customers / 100) * 50);

/**
 * What operators work on, beside the year of each sample customer. The share of customers is that of a portal that runs well: a hundredth waits for
 * support, a thousandth for a mail or a webhook. It is written past the triggers, as the sample itself.
 */
export async function addWork(client: Client, customers: number): Promise<void> {
  const run = (text: string, values: unknown[] = []) => client.query(text, values);
  const each = (step: number) => `generate_series(${step}, ${customers}, ${step}) n`;
  const sought = soughtCustomer(customers);
  await run('set session_replication_role = replica');
  await run(`insert into operators (id, email, name, role, added_at, google_sub)
    values ('OPR-bench', 'asha@bench.example', 'Asha', 'owner', now(), 'bench'), ('OPR-other', 'ravi@bench.example', 'Ravi', 'finance', now(), 'other')`);
  await run(
    `insert into operator_sessions (token_hash, operator_id, created_at, last_used_at, expires_at)
     values ($1, 'OPR-bench', now(), now(), now() + interval '11 hours')`,
    [sha256(operatorToken)],
  );
  await run(
    `update customers set created_at = created_at - (${customers} - substr(id, 5)::int) * interval '1 minute', name = name || ' ' || email`,
  );
  await run(`update customers set name = 'Asha Zutshi' where id = 'CUS-${sought}'`);
  await run(`update api_keys set prefix = 'gstk_live_' || left(translate(md5(id), '-', ''), 6)`);
  await run(`update api_keys set key_hash = $1, prefix = left($2, 16) where id = 'KEY-${sought}'`, [
    sha256(soughtKey),
    soughtKey,
  ]);
  await run(`update support_threads set status = 'OPEN', changed_at = now() - n * interval '1 second'
    from ${each(100)} where id = 'SUP-' || n`);
  await run(`update support_threads set status = 'ANSWERED', assigned_to = case n % 2 when 0 then 'OPR-bench' end
    from ${each(7)} where id = 'SUP-' || n and status = 'CLOSED'`);
  await run(`insert into refunds (id, payment_id, cycle_id, customer_id, amount_paise, reason, status, created_at, settled_at, origin,
      provider_refund_id, next_try_at, payout, utr, transferred_on, booked_on)
    select 'RFD-' || n, 'pay_' || n || '_3', 'CYC-' || n || '-3', 'CUS-' || n, 10000, 'Outage', 'PROCESSED', now() - interval '9 days',
      now() - interval '8 days', 'OPERATOR', case when not by_bank then 'rfnd_' || n end, null, case when by_bank then 'TRANSFER' else 'PROVIDER' end,
      case when by_bank then 'HDFC' || lpad(n::text, 12, '0') end, case when by_bank then (now() - interval '8 days')::date end, case when by_bank then (now() - interval '8 days')::date end
    from (select n, n = ${sought} or n % 3 = 0 as by_bank from ${each(50)}) r`);
  await run(`insert into approvals (id, call, input, customer_id, amount_paise, reason, requested_by, requested_at, state, approved_by, decided_at)
    select 'APR-' || n, 'refundPayment', jsonb_build_object('payment', 'pay_' || n || '_3'), 'CUS-' || n, 5000000, 'Outage', 'OPR-other',
      now() - interval '1 day', case when n % 10000 = 0 then 'WAITING' else 'DONE' end, case when n % 10000 <> 0 then 'OPR-bench' end,
      case when n % 10000 <> 0 then now() end
    from ${each(200)}`);
  await run(`insert into event_keys (dedupe_key, customer_id, happened_at)
    select 'bench:' || n || ':' || m, 'CUS-' || n, now() - interval '2 days' from ${each(1)}, generate_series(1, 3) m`);
  await run(`insert into mails (id, dedupe_key, customer_id, recipient, subject, body_text, body_html, created_at, sent_at, fault)
    select 'MSG-' || n || '-' || m, 'bench:' || n || ':' || m, 'CUS-' || n, 'p' || n || '@example.com', 'Your plan', '-', '-',
      now() - interval '2 days', case when m < 3 or n % 1000 <> 0 then now() end, case when m = 3 and n % 1000 = 0 then 'mailbox full' end
    from ${each(1)}, generate_series(1, 3) m`);
  await run(`update webhooks set failing_since = now() - interval '1 day'
    from ${each(1000)} where id = 'WHK-' || n`);
  await run(`update payments set status = 'failed', captured_at = null, use = null, created_at = now() - interval '1 day', error_description = 'Declined'
    from ${each(1000)} where provider_payment_id = 'pay_' || n || '_11'`);
  await run(`insert into tax_claims (id, customer_id, kind, about, declared_on, declared_at, letter_name, letter_type, letter_bytes, letter, letter_sha256)
    select 'CLM-' || n, 'CUS-' || n, 'EXPORT', 'US', (now() at time zone 'Asia/Kolkata')::date, now(), 'letter.pdf', 'application/pdf',
      octet_length(letter), letter, sha256(letter) from ${each(100)}, (select convert_to('%PDF-1.7', 'UTF8') as letter) l`);
  await run(`insert into operator_actions (position, acted_at, actor, action, target, customer_id, reason, effect, hash)
    select (select position from operator_head) + n, now() - interval '1 day', 'asha@bench.example', 'keys.revoke', 'KEY-' || n, 'CUS-' || n, 'A leak',
      '{}', sha256(n::text::bytea) from ${each(1)}`);
  await run(`insert into document_files select id, convert_to('%PDF ' || id, 'UTF8'), sha256(convert_to('%PDF ' || id, 'UTF8')), issued_at
    from documents where substr(customer_id, 5)::int % 1000 <> 0 on conflict do nothing`);
  await run(`insert into unprinted_documents select id, issued_at from documents
    where substr(customer_id, 5)::int % 1000 = 0 and issued_on > now() - interval '30 days'`);
  await run('reset session_replication_role');
  await run('select add_request_log_days(min(day), max(day)) from request_log');
  await run('vacuum analyze');
}
