-- The network of an address, as a customer's machine keeps it while its address changes: /24, and /48 for IPv6.
create function network_of(address inet) returns inet language sql immutable strict parallel safe as $$
  select network(set_masklen(address, case family(address) when 4 then 24 else 48 end))::inet
$$;

-- From where each key is used: the latest address and client of each network. Written by gateways, read by the key's owner. Without foreign
-- keys, like the request log.
create table key_clients (
  key_id text not null,
  network inet not null,
  address inet not null,
  client text not null check (length(client) <= 80),
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- Whether the portal has looked at it, and told the owner where needed.
  announced boolean not null default false,
  primary key (key_id, network),
  check (first_at <= last_at),
  check (network = network_of(address))
);
create index key_clients_latest on key_clients (key_id, last_at desc);
create index key_clients_new on key_clients (first_at) where not announced;
