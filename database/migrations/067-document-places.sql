-- safe beside older versions: each row that they write has its PDF and no place, as every row before; they never change one.
-- A document's PDF lies in its row, or in a folder or store outside the database (decision 052). The row always has its hash.
alter table document_files
  alter column pdf drop not null,
  add column place text check (place <> ''),
  add column bytes integer check (bytes > 0),
  add constraint document_files_one_place check ((pdf is null) = (place is not null) and (pdf is null) = (bytes is not null)),
  add constraint document_files_hash_check check (length(pdf_sha256) = 32);
alter table amendment_files
  alter column pdf drop not null,
  add column place text check (place <> ''),
  add column bytes integer check (bytes > 0),
  add constraint amendment_files_one_place check ((pdf is null) = (place is not null) and (pdf is null) = (bytes is not null)),
  add constraint amendment_files_hash_check check (length(pdf_sha256) = 32);

-- The newest PDF outside is read now and then, to see that its place is there.
create index document_files_outside on document_files (made_at) where place is not null;

-- A PDF may move; the document that it is of, its hash and its time stay. The constraints say that there is always one or the other.
create function only_moves() returns trigger language plpgsql as $$
begin
  if (new.document_id, new.pdf_sha256, new.made_at) is distinct from (old.document_id, old.pdf_sha256, old.made_at) then
    raise exception 'a row of % is never changed: only its PDF may move', tg_table_name;
  end if;
  return new;
end $$;
drop trigger document_files_never_change on document_files;
drop trigger amendment_files_never_change on amendment_files;
create trigger only_moves before update on document_files for each row execute function only_moves();
create trigger only_moves before update on amendment_files for each row execute function only_moves();
create trigger never_deleted before delete on document_files for each row execute function never_change();
create trigger never_deleted before delete on amendment_files for each row execute function never_change();

-- A seal covers the hash and not the place, so a move needs no new one.
drop trigger sealed on document_files;
drop trigger sealed on amendment_files;
create trigger sealed after insert or delete or update of document_id, pdf_sha256, made_at on document_files
  for each row execute function seal_record('document_id');
create trigger sealed after insert or delete or update of document_id, pdf_sha256, made_at on amendment_files
  for each row execute function seal_record('document_id');
