-- Old responses are found by their age, also those of calls that a crash cut off.
create index answers_age on products.answers (coalesce(answered_at, started_at));
drop index products.answers_answered_at;
