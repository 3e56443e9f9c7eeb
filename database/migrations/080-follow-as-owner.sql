-- A credit note, a refund voucher or a corrected invoice locks the document that it follows. A lock needs the right to change documents, which the
-- user of the processes doesn't have.
alter function documents_follow() security definer set search_path = public, pg_temp;
