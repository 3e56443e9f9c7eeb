-- A second new secret within the overlap of the first doesn't end it: what signed before the old one signs until its own end too.
alter table webhooks add column older_secrets jsonb not null default '[]'
  constraint webhooks_older_secrets_check check (jsonb_typeof(older_secrets) = 'array' and jsonb_array_length(older_secrets) <= 8);
