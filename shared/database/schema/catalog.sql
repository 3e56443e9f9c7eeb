-- Every version of what was for sale, as its files (decision 040). Gateways and portal serve the newest; a version never changes.

-- The catalogue as it was for sale, version by version, each with all its files.
create table catalog_files (
  sha256 bytea primary key,
  content bytea not null,
  check (sha256 = sha256(content))
);

create table catalog_versions (
  version integer primary key,
  -- Of the list of its files.
  sha256 bytea not null check (octet_length(sha256) = 32),
  created_at timestamptz not null,
  author text not null check (length(author) between 1 and 200),
  reason text not null check (length(reason) between 1 and 1000),
  -- Since when it applies; null for a version that was never put into effect.
  active_from timestamptz check (active_from >= created_at)
);

create table catalog_version_files (
  version integer not null references catalog_versions,
  path text not null check (path ~ '^[A-Za-z0-9_][A-Za-z0-9_ .-]*(/[A-Za-z0-9_][A-Za-z0-9_ .-]*)*$' and length(path) <= 200),
  sha256 bytea not null references catalog_files,
  primary key (version, path)
);

create or replace function catalog_versions_follow() returns trigger language plpgsql as $$
begin
  if new.version <> (select coalesce(max(version), 0) + 1 from catalog_versions) then
    raise exception 'catalogue version % does not follow the last one', new.version;
  end if;
  if new.active_from is not null then
    raise exception 'catalogue version % is put into effect after its files are stored', new.version;
  end if;
  return new;
end $$;
create trigger catalog_versions_follow before insert on catalog_versions
  for each row execute function catalog_versions_follow();

create or replace function catalog_versions_stay() returns trigger language plpgsql as $$
begin
  if old.active_from is not null or to_jsonb(new) - 'active_from' is distinct from to_jsonb(old) - 'active_from' then
    raise exception 'catalogue version % stays what it is', old.version;
  end if;
  if exists (select from catalog_versions where version > new.version and active_from is not null) then
    raise exception 'a later catalogue than version % already applies', new.version;
  end if;
  return new;
end $$;
create trigger catalog_versions_stay before update on catalog_versions
  for each row execute function catalog_versions_stay();

create or replace function catalog_version_files_complete() returns trigger language plpgsql as $$
begin
  if (select active_from from catalog_versions where version = new.version) is not null then
    raise exception 'catalogue version % stays what it is', new.version;
  end if;
  return new;
end $$;
create trigger catalog_version_files_complete before insert on catalog_version_files
  for each row execute function catalog_version_files_complete();

create trigger never_change before update or delete on catalog_files for each row execute function never_change();
create trigger never_emptied before truncate on catalog_files execute function refuse_truncate();
create trigger never_deleted before delete on catalog_versions for each row execute function never_change();
create trigger never_emptied before truncate on catalog_versions execute function refuse_truncate();
create trigger sealed after insert or update or delete on catalog_versions for each row execute function seal_record('version');
create trigger never_change before update or delete on catalog_version_files for each row execute function never_change();
create trigger never_emptied before truncate on catalog_version_files execute function refuse_truncate();
create trigger sealed after insert or update or delete on catalog_version_files for each row execute function seal_record('version,path');
