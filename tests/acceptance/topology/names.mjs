// Loaded into each program before it starts: resolves the names of services as the network of Docker does. A name with several addresses
// gives them in turn.
import dns from 'node:dns';

/** @type {Record<string, string[]>} */
const hosts = JSON.parse(process.env.TOPOLOGY_HOSTS ?? '{}');
const lookup = dns.lookup;

dns.lookup = (hostname, options, callback) => {
  const addresses = hosts[hostname];
  if (addresses === undefined) {
    lookup(hostname, options, callback);
    return;
  }
  const done = typeof options === 'function' ? options : callback;
  addresses.push(addresses.shift());
  const found = addresses.map((address) => ({ address, family: 4 }));
  process.nextTick(() => (options.all ? done(null, found) : done(null, found[0].address, 4)));
};
