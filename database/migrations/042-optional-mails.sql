-- Mails that a customer has switched off. The others carry what the law requires, or warn of misuse.
alter table customers
  add column mails_off text[] not null default '{}' check (
    mails_off <@ array['cycle.ending', 'quota.reached', 'payment.failed', 'refund.completed', 'webhook.disabled']
  );
