-- The mail about a payment for several periods attaches a document for each; the first is in the mail itself.
create table mail_documents (
  mail_id text not null references mails on delete cascade,
  place integer not null check (place > 1),
  document_id text not null references documents,
  primary key (mail_id, place),
  unique (mail_id, document_id)
);
create index mail_documents_document on mail_documents (document_id);
